import { type Random, webhookWaitMs } from '@notify/core';
import type { DeliveryDecision } from '@notify/db/webhooks';
import { type HttpResult, retryAfterMs } from '@notify/egress';

/** What came of a post, or that there was none since its secret could not be opened. */
export type PostResult =
  | HttpResult
  | {
      readonly ok: false;
      readonly error: 'secret-unreadable';
      readonly text: string;
      readonly durationMs: number;
    };

/**
 * What becomes of a delivery after its `attempt`th attempt, counted from 1: 2xx is success, and all else is tried again
 * until the schedule is used up. `nowMs` is read against a `Retry-After` that is a date.
 */
export function decideDelivery(
  result: PostResult,
  attempt: number,
  random: Random,
  nowMs: number,
): DeliveryDecision {
  if (result.ok && result.status >= 200 && result.status < 300) return { kind: 'delivered' };
  const afterMs = webhookWaitMs(attempt, random, wishedWaitMs(result, nowMs));
  return afterMs === null ? { kind: 'failed' } : { kind: 'retry', afterMs };
}

/** How long the receiver wishes to be left alone, in ms; 0 where it does not say. */
export function wishedWaitMs(result: PostResult, nowMs: number): number {
  return result.ok ? (retryAfterMs(result.headers['retry-after'], nowMs) ?? 0) : 0;
}
