import type { Deliveries } from '@notify/sdk';
import { attemptResult } from './attempt-words.ts';

/** The delivery of one event, or of a pack of events, to one webhook. */
export type Delivery = Deliveries['data'][number];
/** One post of a delivery. */
export type Attempt = Delivery['attempts'][number];

/** What is posted again with a line of the list: the delivery, or the pack for which it stands. */
export function idToRetry({ id, packId }: Pick<Delivery, 'id' | 'packId'>): string {
  return packId ?? id;
}

/** What a line of the list is about: the event, or how many. */
export function eventInShort({ event, eventCount }: Pick<Delivery, 'event' | 'eventCount'>): string {
  return eventCount > 1 ? `${eventCount} events` : (event ?? 'event deleted');
}

const testEvent = 'webhook.test';

/** Whether it can be posted again. A test event is sent anew instead, and a deleted event is gone. */
export function canRetry({ event }: Pick<Delivery, 'event'>): boolean {
  return event !== null && event !== testEvent;
}

/** The progress of a delivery in a few words: "200 at the first attempt", "3 attempts, last: timed out". */
export function deliveryInShort({ attempts, state, reason }: Delivery): string {
  const last = attempts.at(-1);
  if (last === undefined) return withoutAttempt[reason ?? state] ?? 'No attempts';
  const result = attemptResult(last);
  if (attempts.length > 1) return `${attempts.length} attempts, last: ${result}`;
  return state === 'delivered' ? `${result} on first attempt` : `1 attempt: ${result}`;
}

const withoutAttempt: Readonly<Record<string, string>> = {
  waiting: 'No attempts yet',
  skipped: 'Webhook disabled',
  expired: 'Expired after 3 days',
};

/** Why a delivery has failed or was skipped; null for any other. */
export function endInWords({
  state,
  reason,
  event,
}: Pick<Delivery, 'state' | 'reason' | 'event'>): string | null {
  if (state === 'skipped') return 'Skipped because the webhook was disabled.';
  if (state !== 'failed') return null;
  if (event === testEvent && reason !== 'expired') return 'A test event is not retried. Send another one.';
  return reason === 'expired'
    ? 'Failed permanently: this event waited for 3 days while the webhook was failing.'
    : 'Failed permanently: all ten attempts failed, over about 28 hours.';
}
