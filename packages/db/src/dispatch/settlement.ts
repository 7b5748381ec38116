import { type Cut, type Decision, type Outcome, scrub } from '@notify/core';

/** The end of one attempt and the decision made from it. */
export interface Settlement {
  readonly accountId: string;
  /** The account's settings, sealed, as they were claimed. */
  readonly settings: string;
  readonly messageId: string;
  readonly holder: string;
  readonly attempts: number;
  readonly part: number;
  readonly parts: number;
  /** How its text was cut. */
  readonly cut: Cut;
  readonly segments: number | null;
  readonly outcome: Outcome;
  readonly decision: Decision;
  /** False if the wait for a receipt ended instead of an attempt. */
  readonly attempted: boolean;
  /** How long the provider took, in ms; null when this holder did not call it. */
  readonly tookMs: number | null;
}

/** What the provider or the adapter said of the attempt, storable; null if nothing. */
export function toldBy(outcome: Outcome): string | null {
  const note = outcome.kind === 'accepted' ? outcome.note : undefined;
  const told = [note, outcome.text].filter((one) => one !== undefined);
  return told.length === 0 ? null : scrub(told.join(' '));
}
