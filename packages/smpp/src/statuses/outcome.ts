import { type Outcome, throttlePauseMs } from '@notify/core';
import { meaningOf, statusCode, statusText } from './meanings.ts';

/** What became of one `submit_sm`. */
export type SubmitResult =
  /** The SMSC answered. `messageId` is null if the answer has none. */
  | { readonly kind: 'answered'; readonly status: number; readonly messageId: string | null }
  /** No octet of it left. */
  | { readonly kind: 'not-written'; readonly text: string }
  /** It was written, and no answer came: the connection was lost, or the time was up. */
  | { readonly kind: 'unknown'; readonly text: string };

/** The outcome of one message, or one part of it. `throttles` counts earlier throttled answers in a row. */
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
  const providerCode = statusCode(status);
  switch (meaning.kind) {
    case 'accepted':
      return { kind: 'accepted', externalId: messageId };
    case 'throttled':
      return { kind: 'throttled', scope: 'account', text, afterMs: throttlePauseMs(throttles) };
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
