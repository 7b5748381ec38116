import { dispatchBackoffMs, type Random } from './backoff.ts';
import type { Outcome } from './outcome.ts';

/** The account owner's choice when it is unknown whether a message was sent. */
export type UnknownPolicy = 'at-least-once' | 'at-most-once';

/** The state of the message when an attempt has ended. */
export interface AttemptContext {
  /** Attempts used so far, including this one. */
  readonly attempts: number;
  /** How often it was sent again after an unknown outcome. */
  readonly resends: number;
  /** Parts that the provider accepted before this attempt. `parts` is the total. */
  readonly part: number;
  readonly parts: number;
  /** Time left until the message expires, in ms; may be negative. */
  readonly msToExpiry: number;
}

/** The rules of the provider and the account for an unknown outcome. */
export interface UnknownRules {
  /** The provider recognises a repeat of the same request, so repeating is always safe. */
  readonly repeatIsSafe: boolean;
  /** The provider sends delivery receipts, so one may still give the outcome. */
  readonly reportsBack: boolean;
  readonly policy: UnknownPolicy;
  /** How long to wait for a receipt, in ms. */
  readonly receiptWaitMs: number;
}

/** The next step of the message and of its account. */
export type Decision =
  | { readonly kind: 'sent' }
  | { readonly kind: 'next-part' }
  | { readonly kind: 'failed'; readonly errorCode: string; readonly text: string }
  | { readonly kind: 'retry'; readonly afterMs: number }
  | { readonly kind: 'pause-recipient'; readonly afterMs: number }
  | { readonly kind: 'pause-account'; readonly afterMs: number; readonly text: string }
  | { readonly kind: 'break-account'; readonly text: string }
  | { readonly kind: 'await-receipt'; readonly afterMs: number }
  /** Sent once more after an unknown outcome; `possibleDuplicate` unless the provider recognises repeats. */
  | { readonly kind: 'resend'; readonly afterMs: number; readonly possibleDuplicate: boolean };

/** The longest wait a provider may ask for, in ms. */
const maxRetryAfterMs = 3_600_000;
/** The shortest wait after an answer that asks for another try, in ms, whatever it asks for. */
const minRetryAfterMs = 1_000;

/**
 * Turns the outcome of an attempt into the next step. Pure. Only the message's lifetime limits retries: a retry that
 * would come after it never happens, because the message expires first.
 */
export function decide(
  outcome: Outcome,
  context: AttemptContext,
  rules: UnknownRules,
  random: Random,
): Decision {
  switch (outcome.kind) {
    case 'accepted':
      return context.part + 1 < context.parts ? { kind: 'next-part' } : { kind: 'sent' };
    case 'rejected':
      return { kind: 'failed', errorCode: outcome.errorCode, text: outcome.text };
    case 'connection-broken':
      return { kind: 'break-account', text: outcome.text };
    case 'throttled': {
      const afterMs = boundedWait(outcome.afterMs);
      if (outcome.scope === 'recipient') return { kind: 'pause-recipient', afterMs };
      return { kind: 'pause-account', afterMs, text: outcome.text };
    }
    case 'retry': {
      const wished = boundedWait(outcome.afterMs ?? 0);
      return { kind: 'retry', afterMs: Math.max(wished, dispatchBackoffMs(context.attempts, random)) };
    }
    case 'unknown':
      return decideUnknown(context, rules, random);
  }
}

function boundedWait(wishedMs: number): number {
  return Math.min(Math.max(wishedMs, minRetryAfterMs), maxRetryAfterMs);
}

function decideUnknown(context: AttemptContext, rules: UnknownRules, random: Random): Decision {
  if (rules.repeatIsSafe) {
    const afterMs = dispatchBackoffMs(context.attempts, random);
    if (afterMs >= context.msToExpiry) return outcomeUnknown;
    return { kind: 'resend', afterMs, possibleDuplicate: false };
  }
  if (rules.reportsBack) return { kind: 'await-receipt', afterMs: rules.receiptWaitMs };
  return decideWithoutReceipt(context, rules);
}

/** The next step when no receipt came in time, or none can come. */
export function decideWithoutReceipt(context: AttemptContext, rules: UnknownRules): Decision {
  const mayRepeat = rules.policy === 'at-least-once' && context.resends === 0 && context.msToExpiry > 0;
  return mayRepeat ? { kind: 'resend', afterMs: 0, possibleDuplicate: true } : outcomeUnknown;
}

const outcomeUnknown: Decision = {
  kind: 'failed',
  errorCode: 'outcome-unknown',
  text: 'The provider never responded. The message may or may not have been sent.',
};
