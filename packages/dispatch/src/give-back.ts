import { whenDatabaseIsBack } from '@notify/db/connection';
import { type Claimed, releaseMessages } from '@notify/db/dispatch';
import type { DispatchDeps } from './deps.ts';

/**
 * Gives back messages that certainly did not reach the provider: their attempt does not count, and the next turn may
 * begin at once, or after `skipMs`. Waits while the database is away, because the end of a lease counts as an unknown
 * outcome.
 */
export function giveBack(
  claims: readonly Claimed[],
  { db, log }: Pick<DispatchDeps, 'db' | 'log'>,
  skipMs = 0,
): Promise<void> {
  return whenDatabaseIsBack(
    () => releaseMessages(db, claims, skipMs),
    (error) => log.tell('release-waits', { err: error, messages: claims.length }),
  );
}
