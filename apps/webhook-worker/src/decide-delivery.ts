import { type Random, retryAfterMs, webhookWaitMs } from '@notify/core';
import type { DeliveryDecision } from '@notify/db/webhooks';
import type { HttpResult } from '@notify/egress';

/** The result of a post, or the error that prevented it: the secret could not be opened. */
export type PostResult =
  | HttpResult
  | {
      readonly ok: false;
      readonly error: 'secret-unreadable';
      readonly text: string;
      readonly durationMs: number;
    };

/**
 * The decision after a delivery's attempt number `attempt`, counted from 1: 2xx is success, and every other result is
 * retried until the schedule is used up, unless `retries` is false. `deliver` has already given back what the proxy or
 * our own end prevented. A 413 to a pack of several events cuts it in two. A `Retry-After` date is read relative to `nowMs`.
 */
export function decideDelivery(
  result: PostResult,
  attempt: number,
  random: Random,
  nowMs: number,
  { retries = true, events = 1 }: { readonly retries?: boolean; readonly events?: number } = {},
): DeliveryDecision {
  if (result.ok && result.status >= 200 && result.status < 300) return { kind: 'delivered' };
  if (result.ok && result.status === 413 && events > 1) return { kind: 'cut' };
  if (!retries) return { kind: 'failed' };
  const afterMs = webhookWaitMs(attempt, random, wishedWaitMs(result, nowMs));
  return afterMs === null ? { kind: 'failed' } : { kind: 'retry', afterMs };
}

/** How long the receiver asked us to wait, in ms. 0 if it did not ask. */
export function wishedWaitMs(result: PostResult, nowMs: number): number {
  return result.ok ? (retryAfterMs(result.headers['retry-after'], nowMs) ?? 0) : 0;
}
