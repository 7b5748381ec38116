import { Alert, Button, Checkbox, Group, Text } from '@mantine/core';
import type { ChannelAccount, Conversation, Message, MessageDetails, Provider } from '@notify/sdk';
import { type ReactNode, useState } from 'react';
import { channelName } from '../../../parts/channel-name.ts';
import { AttachIcon, ClockIcon, ListIcon, TemplateIcon } from '../../../parts/icons.tsx';
import { type Kind, kindsOf } from '../../messages/send/kinds.ts';
import classes from '../conversations.module.css';
import type { ReplyWindow } from '../reply-window.ts';
import { QuoteLine } from './quote-line.tsx';
import { ReplyDialog } from './reply-dialog.tsx';
import { TextReply } from './text-reply.tsx';

/**
 * Below a thread: the form for a reply. Outside the window of the provider it offers templates only, and says
 * why. It is disabled while the contact has opted out.
 */
export function Composer({
  conversation,
  account,
  provider,
  replyWindow,
  replyTo,
  telling,
  topic,
  onQuote,
  onSent,
}: {
  readonly conversation: Conversation;
  readonly account: ChannelAccount;
  readonly provider: Provider | undefined;
  readonly replyWindow: ReplyWindow;
  readonly replyTo: MessageDetails | null;
  /** The choice to tell the contact what one reads and that one types. Null where the provider can tell nothing. */
  readonly telling: {
    readonly label: string;
    readonly isOn: boolean;
    readonly set: (isOn: boolean) => void;
  } | null;
  /** The topic of the chat that a reply without a quote goes to. */
  readonly topic: number | null;
  readonly onQuote: (message: MessageDetails | null) => void;
  readonly onSent: (sent: Message, replyTo: string | null) => void;
}): ReactNode {
  const { optedOut } = conversation;
  const [dialog, setDialog] = useState<Exclude<Kind, 'text'> | null>(null);
  const allowed = kindsOf(account, provider);
  const isClosed = replyWindow.kind === 'closed';
  const sent = (message: Message): void => {
    setDialog(null);
    onQuote(null);
    onSent(message, replyTo?.messageId ?? null);
  };
  const target = { conversation, account, provider, replyTo, topic, onSent: sent };
  const others = (
    <>
      {!isClosed && allowed.includes('media') && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<AttachIcon size={16} />}
          onClick={() => setDialog('media')}
        >
          File
        </Button>
      )}
      {!isClosed && (
        <Button
          variant="subtle"
          size="compact-sm"
          leftSection={<ListIcon size={16} />}
          aria-label="Buttons or list"
          onClick={() => setDialog('interactive')}
        >
          Buttons
        </Button>
      )}
      {allowed.includes('template') && (
        <Button
          variant={isClosed ? 'filled' : 'subtle'}
          size={isClosed ? 'sm' : 'compact-sm'}
          leftSection={<TemplateIcon size={16} />}
          onClick={() => setDialog('template')}
        >
          {isClosed ? 'Choose a template' : 'Template'}
        </Button>
      )}
    </>
  );
  return (
    <fieldset className={classes.composer} disabled={optedOut} aria-label="Your reply">
      {optedOut && (
        <Text size="sm" mb={6}>
          You cannot write to this contact: they opted out.
        </Text>
      )}
      {replyTo !== null && <QuoteLine message={replyTo} onClear={() => onQuote(null)} />}
      {isClosed ? (
        <Closed
          hours={replyWindow.hours}
          channel={account.channel}
          hasTemplates={allowed.includes('template')}
        >
          {others}
        </Closed>
      ) : (
        <TextReply {...target} others={others} tells={telling?.isOn === true} />
      )}
      {telling !== null && (
        <Checkbox
          size="xs"
          mt={6}
          label={telling.label}
          checked={telling.isOn}
          onChange={(event) => telling.set(event.currentTarget.checked)}
        />
      )}
      {dialog !== null && <ReplyDialog {...target} kind={dialog} onClose={() => setDialog(null)} />}
    </fieldset>
  );
}

/** In the place of the form: why free text is refused, and what can be sent instead. */
function Closed({
  hours,
  channel,
  hasTemplates,
  children,
}: {
  readonly hours: number;
  readonly channel: ChannelAccount['channel'];
  readonly hasTemplates: boolean;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <Alert color="yellow" icon={<ClockIcon />} title={`The ${hours}-hour window is closed`}>
      <Text size="sm">
        {channelName(channel)} accepts free text only within {hours} hours of the contact’s last message.{' '}
        {hasTemplates
          ? 'Send a template now. When the contact replies, you can write freely again.'
          : 'You can reply when the contact writes again.'}
      </Text>
      <Group mt="sm">{children}</Group>
    </Alert>
  );
}
