/** Returns a number in [0, 1). Passed as an argument, so that the rules here stay pure. */
export type Random = () => number;

/** Wait before the next dispatch attempt, in ms: full jitter over 2 s × 4ⁿ, capped at 10 min. `attempt` counts from 1. */
export function dispatchBackoffMs(attempt: number, random: Random): number {
  const ceiling = Math.min(600_000, 2_000 * 4 ** (attempt - 1));
  return Math.round(ceiling * random());
}

/** How long a throttled account pauses, in ms: 1 s, 2 s, 4 s and so on up to a minute. `throttles` counts earlier throttled answers in a row. */
export function throttlePauseMs(throttles: number): number {
  return Math.min(60_000, 1_000 * 2 ** Math.min(throttles, 10));
}

/** Waits after a failed webhook attempt, in ms, by number of failures: 5 s to 10 h, about 28 h in all. */
export const webhookWaitsMs: readonly number[] = [
  5_000, 30_000, 120_000, 600_000, 1_800_000, 7_200_000, 18_000_000, 36_000_000, 36_000_000,
];

/**
 * Wait before the next webhook attempt after `failures` failed ones, which is the number of the last, in ms, or null when the schedule is used up.
 * Jitter adds up to 20 % and never shortens a wait. `retryAfterMs` (the receiver's request) is honoured up to one hour.
 */
export function webhookWaitMs(failures: number, random: Random, retryAfterMs = 0): number | null {
  const base = webhookWaitsMs[failures - 1];
  if (base === undefined) return null;
  return Math.round(Math.max(base * (1 + 0.2 * random()), Math.min(retryAfterMs, 3_600_000)));
}
