import type { Template } from '@notify/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import type { ChannelAccount, Conversation, Message, MessageDetails, Provider } from '@notify/sdk';
import { useState } from 'react';
import { thisInstallation } from '../../../installation.ts';
import { useChange } from '../../../api/hooks.ts';
import { type Submission, useSubmit } from '../../../parts/form/use-submit.ts';
import { newKey } from '../../messages/send/idempotency-key.ts';
import { hasButtons, type Kind } from '../../messages/send/kinds.ts';
import {
  atFields,
  chosenTemplate,
  fileToUpload,
  formFaults,
  requestOf,
  type Values,
  valuesAt,
} from '../../messages/send/values.ts';
import { useUpload } from '../../messages/send/use-upload.ts';

/** A reply that is being written. */
export interface Reply {
  readonly form: UseFormReturnType<Values>;
  readonly submission: Submission;
  /** The chosen template. */
  readonly template: Template | undefined;
  /** How much of its file has been uploaded; null unless it is under way. */
  readonly sentBytes: number | null;
}

/** A form that sends to the contact of a conversation. It is emptied once the message is accepted. */
export function useReply({
  conversation: { to },
  account,
  provider,
  kind,
  templates = [],
  replyTo,
  topic,
  onSent,
}: {
  readonly conversation: Pick<Conversation, 'to'>;
  readonly account: ChannelAccount;
  readonly provider: Provider | undefined;
  readonly kind: Kind;
  readonly templates?: readonly Template[] | undefined;
  /** The message that the reply quotes. */
  readonly replyTo: MessageDetails | null;
  /** The topic of the chat that it goes to without a quote. */
  readonly topic: number | null;
  readonly onSent: (sent: Message) => void;
}): Reply {
  const send = useChange('post /v1/messages');
  // The same key on every click, so that a send without an answer is not repeated.
  const [idempotencyKey, setKey] = useState(newKey);
  const form = useForm<Values>({
    onValuesChange: () => setKey(newKey()),
    initialValues: { ...valuesAt(account.id, undefined), to, text: '' },
    validate: (values) =>
      formFaults(kind, values, template, {
        hasButtons: hasButtons(account, provider),
        maxFileBytes: thisInstallation().maxFileBytes,
      }),
  });
  const template = chosenTemplate(templates, form.values);
  const upload = useUpload();
  const submission = useSubmit(form, async (values) => {
    const place = placeOf(kind, replyTo, topic);
    const fileId = await upload.idOf(fileToUpload(kind, values));
    const body = { ...requestOf(kind, values, account, { template, fileId }), ...place, idempotencyKey };
    try {
      const sent = await send.mutateAsync({ body });
      form.reset();
      onSent(sent);
    } catch (failure) {
      upload.failed(failure);
      throw atFields(failure, template, values);
    }
  });
  return { form, submission, template, sentBytes: upload.sentBytes };
}

/** What the reply quotes, or else the topic that it goes to. The api takes none with a template, and with buttons or a list. */
function placeOf(
  kind: Kind,
  replyTo: MessageDetails | null,
  topic: number | null,
): { replyTo?: string; telegram?: { threadId: number } } {
  if (replyTo !== null) return { replyTo: replyTo.messageId };
  return topic === null || kind === 'template' || kind === 'interactive'
    ? {}
    : { telegram: { threadId: topic } };
}
