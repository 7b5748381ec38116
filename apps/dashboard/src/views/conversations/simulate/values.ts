import { plainPhone } from '@notify/core';
import type { ChannelAccount } from '@notify/sdk';
import type { InputOf } from '../../../api/client.ts';
import type { mediaTypes } from '../../messages/send/media-types.ts';

/** The body of the request. */
type Body = InputOf<'post /v1/channel-accounts/{id}/simulate-inbound'>['body'];

/** The fields of the form. A type, because an interface has no index signature. */
export type SimulatedValues = {
  accountId: string;
  from: string;
  /** A text, or the type of a file. */
  kind: 'text' | (typeof mediaTypes)[number]['value'];
  text: string;
};

/** Who writes at first: an address that the channel takes. */
const examples: Readonly<Record<ChannelAccount['channel'], string>> = {
  sms: '+15550001000',
  whatsapp: '+15550001000',
  telegram: '582131360',
};

/** The values of a new form for an account. */
export function simulatedAt({ id, channel }: Pick<ChannelAccount, 'id' | 'channel'>): SimulatedValues {
  return { accountId: id, from: examples[channel], kind: 'text', text: 'When do you open tomorrow?' };
}

/** What is wrong with the form before it is sent, by field. */
export function simulatedFaults({ from, kind, text }: SimulatedValues): Record<string, string> {
  return {
    ...(from.trim() === '' ? { from: 'Enter an address.' } : {}),
    ...(kind === 'text' && text.trim() === '' ? { text: 'Enter a text.' } : {}),
  };
}

/** The request of a filled form. The text of a file is its caption. */
export function simulatedBody({ from, kind, text }: SimulatedValues): Body {
  const sender = { from: plainPhone(from) };
  if (kind === 'text') return { ...sender, text };
  return {
    ...sender,
    media: { type: kind, ...(text.trim() === '' || kind === 'audio' ? {} : { caption: text }) },
  };
}
