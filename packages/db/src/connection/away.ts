import { setTimeout as wait } from 'node:timers/promises';
import { databaseFault } from '@notify/core';

/**
 * Whether an error says that the database is unreachable or cannot do this work now. The same work may succeed later.
 * For an error in the work itself the answer is false.
 */
export function isDatabaseAway(error: unknown): boolean {
  const fault = databaseFault(error);
  return fault === 'away' || fault === 'busy' || fault === 'conflict';
}

const firstPauseMs = 100;
const longestPauseMs = 2_000;
/** How often work is tried that fails for an unknown reason: for a few seconds in all. */
const unknownTries = 6;

/**
 * Repeats `work` while the database is away or busy, at growing intervals of up to 2 s, and calls `onAway` each time.
 * Use it for facts that exist only in memory and must be stored. A data error is thrown at once, an unknown error after
 * some tries.
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
