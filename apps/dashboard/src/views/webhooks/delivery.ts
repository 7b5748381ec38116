import type { Deliveries } from '../../api/schema.ts';
import { attemptResult } from './attempt-words.ts';

/** One event on its way to one webhook. */
export type Delivery = Deliveries['data'][number];
/** One post of it. */
export type Attempt = Delivery['attempts'][number];

/** How far a delivery has come, in a few words: "200 at the first attempt", "3 attempts, last: timed out". */
export function deliveryInShort({ attempts, state, reason }: Delivery): string {
  const last = attempts.at(-1);
  if (last === undefined) return withoutAttempt[reason ?? state] ?? 'Not tried';
  const result = attemptResult(last);
  if (attempts.length > 1) return `${attempts.length} attempts, last: ${result}`;
  return state === 'delivered' ? `${result} at the first attempt` : `1 attempt: ${result}`;
}

const withoutAttempt: Readonly<Record<string, string>> = {
  waiting: 'Not tried yet',
  skipped: 'The webhook was disabled',
  expired: 'Waited 3 days in vain',
};

/** Why a delivery has ended without getting through; null where it has not. */
export function endInWords({ state, reason }: Pick<Delivery, 'state' | 'reason'>): string | null {
  if (state === 'skipped') return 'It was skipped, since the webhook was disabled.';
  if (state !== 'failed') return null;
  return reason === 'expired'
    ? 'It was given up: the webhook was failing for the 3 days that an event waits.'
    : 'It was given up after ten attempts in about 28 hours.';
}
