import type { Attempt } from './delivery.ts';

/** Counts of events by outcome. */
export interface Tally {
  /** Events that the receiver took. */
  readonly forwarded: number;
  /** Events that were given up, oldest first. */
  readonly failed: readonly { readonly id: string; readonly occurredAt: string }[];
  /** Attempts after the first one of their event. */
  readonly repeated: number;
  /** Events that `--events` leaves out. */
  readonly leftOut: number;
  /** How often the connection to the service was lost. */
  readonly lost: number;
}

/** Keeps a tally. */
export interface Counter {
  /** The counts so far. It changes with each call. */
  readonly tally: Tally;
  /** Counts an attempt and, if it was the last, its event. */
  attempt(attempt: Attempt): void;
  /** Counts an event that is not wanted. */
  leaveOut(): void;
  /** Counts a lost connection. */
  lose(): void;
}

/** A counter whose counts begin at 0. */
export function createCounter(): Counter {
  const tally = {
    forwarded: 0,
    failed: [] as { id: string; occurredAt: string }[],
    repeated: 0,
    leftOut: 0,
    lost: 0,
  };
  return {
    tally,
    attempt({ entry: { event }, next, number }) {
      if (next === 'none') tally.forwarded += 1;
      if (next === 'give-up') tally.failed.push({ id: event.id, occurredAt: event.occurredAt });
      if (number > 1 && next !== 'hold') tally.repeated += 1;
    },
    leaveOut: () => void (tally.leftOut += 1),
    lose: () => void (tally.lost += 1),
  };
}
