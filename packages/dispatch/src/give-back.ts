import { whenDatabaseIsBack } from '@notify/db/connection';
import { type Claimed, releaseMessages } from '@notify/db/dispatch';
import type { DispatchDeps } from './deps.ts';

/**
 * Gives messages back of which the provider has nothing: their attempt is unburnt, and whoever comes next may begin at
 * once, or when `holdMs` have passed. Waits for a database that is away, for a lease that merely ends is an unknown
 * outcome.
 */
export function giveBack(
  claims: readonly Claimed[],
  { db, log }: Pick<DispatchDeps, 'db' | 'log'>,
  holdMs = 0,
): Promise<void> {
  return whenDatabaseIsBack(
    () => releaseMessages(db, claims, holdMs),
    (error) => log.warn({ err: error, messages: claims.length }, 'giving back waits for the database'),
  );
}
