import type { Outcome } from '@notify/core';
import { meaningOf, statusText } from './meanings.ts';

/** What became of one `submit_sm`. */
export type SubmitResult =
  /** The SMSC answered. `messageId` is null if the answer has none. */
  | { readonly kind: 'answered'; readonly status: number; readonly messageId: string | null }
  /** No octet of it left. */
  | { readonly kind: 'not-written'; readonly text: string }
  /** It was written, and no answer came: the connection was lost, or the time was up. */
  | { readonly kind: 'unknown'; readonly text: string };

const minThrottleMs = 1_000;
const maxThrottleMs = 60_000;

/**
 * The outcome of one message, or one part of it. `throttles` counts earlier throttled answers in a row: the account pauses 1 s, 2 s, 4 s
 * and so on up to a minute.
 */
export function outcomeOf(result: SubmitResult, throttles: number): Outcome {
  switch (result.kind) {
    case 'not-written':
      return { kind: 'retry', errorCode: 'provider-unreachable', text: result.text };
    case 'unknown':
      return { kind: 'unknown', text: result.text };
    case 'answered':
      return outcomeOfStatus(result.status, result.messageId, throttles);
  }
}

function outcomeOfStatus(status: number, messageId: string | null, throttles: number): Outcome {
  const meaning = meaningOf(status);
  const text = `The SMSC answered ${statusText(status)}`;
  const providerCode = `0x${status.toString(16).padStart(2, '0')}`;
  switch (meaning.kind) {
    case 'accepted':
      return { kind: 'accepted', externalId: messageId };
    case 'throttled':
      return { kind: 'throttled', scope: 'account', text, afterMs: pauseMs(throttles) };
    case 'retry':
      return { kind: 'retry', errorCode: 'provider-error', text, providerCode };
    case 'account':
      return { kind: 'connection-broken', text, providerCode };
    case 'rejected':
      return { kind: 'rejected', errorCode: meaning.errorCode, text, providerCode };
    case 'unknown':
      return { kind: 'unknown', text };
  }
}

function pauseMs(throttles: number): number {
  return Math.min(maxThrottleMs, minThrottleMs * 2 ** Math.min(throttles, 10));
}
