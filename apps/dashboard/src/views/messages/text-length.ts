import { smsSegments } from '@notify/core';
import type { ChannelAccount } from '../../api/schema.ts';

/** The longest text of any channel, in characters (code points). */
const longest = 4_096;

/** How long a text is, in what its channel counts: characters, and for SMS segments, which are what is paid for. */
export function lengthOf(text: string, channel: ChannelAccount['channel']): string {
  const characters = Array.from(text).length;
  const of = `${characters.toLocaleString('en')} of ${longest.toLocaleString('en')} characters`;
  if (channel !== 'sms' || characters === 0) return of;
  const { segments, encoding } = smsSegments(text);
  const alphabet = encoding === 'UCS-2' ? '(Unicode, so fewer characters fit)' : '';
  return `${of} · ${segments === 1 ? '1 SMS' : `${segments} SMS`}${alphabet}`;
}
