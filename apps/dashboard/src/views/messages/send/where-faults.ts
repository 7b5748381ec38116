import { plainPhone } from '@notify/core';
import type { ChannelAccount } from '@notify/sdk';
import { readMoment } from '../../../parts/time/moment-text.ts';
import type { Values } from './values.ts';

type Channel = ChannelAccount['channel'];

/** What recipients look like. The api looks closer: this only finds with the other faults what is none in any case. */
const looksLike: Readonly<Record<Channel, RegExp>> = {
  sms: /^\+[1-9]\d{4,14}$/,
  // Or one of WhatsApp's own IDs, which have an @ or a dot.
  whatsapp: /^(\+?[1-9]\d{4,14}|.*[@.].*)$/,
  telegram: /^(-?[1-9]\d*|@\w+)$/,
};

const words: Readonly<Record<Channel, string>> = {
  sms: 'Must be a phone number in E.164 format: +, country code, number, digits only.',
  whatsapp: 'Must be a phone number with country code, digits only after an optional +.',
  telegram: 'Must be an integer chat ID or an @username.',
};

const farthestMs = 30 * 86_400_000;
/** The api takes a time of so long ago for now. */
const pastMs = 60_000;

/** What is wrong with the recipient and the time before the api sees them, so that both are marked at once. */
export function whereFaults(
  { to, sendAt }: Pick<Values, 'to' | 'sendAt'>,
  channel: Channel,
  { nowMs, isHalfTyped }: { readonly nowMs: number; readonly isHalfTyped: boolean },
): Record<string, string> {
  const isGiven = isHalfTyped || sendAt !== '';
  const late = isGiven ? sendAtFault(isHalfTyped ? '' : sendAt, nowMs) : null;
  return {
    ...(to.trim() === '' || looksLike[channel].test(plainPhone(to)) ? {} : { to: words[channel] }),
    ...(late === null ? {} : { sendAt: late }),
  };
}

/** What is wrong with a time to send at; null if nothing is. `nowMs` is in ms since 1970. */
export function sendAtFault(typed: string, nowMs: number): string | null {
  const at = readMoment(typed)?.getTime();
  if (at === undefined) return 'Enter a date and a time.';
  if (at < nowMs - pastMs) return 'This time has passed. Enter a later one.';
  return at > nowMs + farthestMs ? 'Enter a time at most 30 days ahead.' : null;
}
