import { Button, Group, Textarea } from '@mantine/core';
import type { ChannelAccount, Conversation, Message, MessageDetails, Provider } from '@notify/sdk';
import { type KeyboardEvent, type ReactNode, useEffect, useRef } from 'react';
import { FormFailure } from '../../../parts/form/form-failure.tsx';
import { SendIcon } from '../../../parts/icons.tsx';
import { lengthOf } from '../../messages/send/text-length.ts';
import classes from '../conversations.module.css';
import { useTyping } from '../telling.ts';
import { useReply } from './use-reply.ts';

/** The form for a text. */
export function TextReply({
  others,
  tells,
  ...target
}: {
  readonly conversation: Conversation;
  readonly account: ChannelAccount;
  readonly provider: Provider | undefined;
  readonly replyTo: MessageDetails | null;
  readonly topic: number | null;
  readonly onSent: (sent: Message) => void;
  /** Buttons for other kinds of content. */
  readonly others: ReactNode;
  /** Whether the contact is shown that somebody types. */
  readonly tells: boolean;
}): ReactNode {
  const { account, replyTo, conversation } = target;
  const showTyping = useTyping(conversation, tells);
  const { form, submission } = useReply({ ...target, kind: 'text' });
  const input = useRef<HTMLTextAreaElement>(null);
  const quoted = replyTo?.messageId;
  useEffect(() => {
    if (quoted !== undefined) input.current?.focus();
  }, [quoted]);
  const length = form.values.text === '' ? '' : `${lengthOf(form.values.text, account.channel)}. `;
  return (
    <form noValidate onSubmit={submission.onSubmit} className={classes.textForm}>
      <Textarea
        ref={input}
        aria-label="Reply"
        placeholder="Write a reply"
        description={`${length}Ctrl+Enter sends.`}
        inputWrapperOrder={['input', 'description', 'error']}
        autosize
        minRows={1}
        maxRows={6}
        onKeyDown={sendByKey}
        onInput={showTyping}
        {...form.getInputProps('text')}
      />
      <FormFailure error={submission.error} fields={['text']} />
      <Group justify="space-between" gap="xs">
        <Group gap={4}>{others}</Group>
        <Button
          ml="auto"
          type="submit"
          size="sm"
          loading={submission.isBusy}
          leftSection={<SendIcon size={16} />}
        >
          Send
        </Button>
      </Group>
    </form>
  );
}

/** Ctrl+Enter, or Command+Enter on a Mac. Enter alone begins a new line, as on phones. */
function sendByKey(event: KeyboardEvent<HTMLTextAreaElement>): void {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.currentTarget.form?.requestSubmit();
}
