import { smsSegments, textLimits } from '@notify/core';
import type { ChannelAccount } from '@notify/sdk';
import { amount } from '../../../parts/time/time-text.ts';

/**
 * The length of a text in the unit of its channel: characters, and for SMS also segments, which providers charge for.
 */
export function lengthOf(text: string, channel: ChannelAccount['channel']): string {
  const characters = Array.from(text).length;
  const of = `${amount(characters)} of ${amount(textLimits.text)} characters`;
  if (channel !== 'sms' || characters === 0) return of;
  const { segments, encoding } = smsSegments(text);
  const alphabet = encoding === 'UCS-2' ? ' (Unicode, so fewer characters fit)' : '';
  return `${of} · ${segments === 1 ? '1 SMS' : `${segments} SMS`}${alphabet}`;
}
