import { setTimeout as wait } from 'node:timers/promises';
import { databaseFault } from '@notify/core';

/**
 * Whether an error means that the database cannot be reached, or cannot do this work now, rather than that the work is
 * wrong. The same work may succeed later.
 */
export function isDatabaseAway(error: unknown): boolean {
  const fault = databaseFault(error);
  return fault === 'away' || fault === 'busy' || fault === 'conflict';
}

const firstPauseMs = 100;
const longestPauseMs = 2_000;
/** How often work is tried that fails for a reason nobody knows: for a few seconds. */
const unknownTries = 6;

/**
 * Does `work` again and again while the database is away or busy, at growing intervals of up to 2 s, and tells `onAway`
 * each time. For what is known nowhere else and must be stored. Work that fails on its data is thrown at once, what fails
 * for a reason nobody knows after some tries.
 */
export async function whenDatabaseIsBack<T>(
  work: () => Promise<T>,
  onAway: (error: unknown) => void,
): Promise<T> {
  let unknown = 0;
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (databaseFault(error) === 'unknown') unknown += 1;
      if (unknown >= unknownTries || (unknown === 0 && !isDatabaseAway(error))) throw error;
      onAway(error);
      await wait(pauseMs);
    }
  }
}
