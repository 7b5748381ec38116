import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { transact } from '../connection/transact.ts';
import type { NewlyReceived } from '../inbound/received.ts';
import { type StoredBatch, storeReceived } from '../inbound/store.ts';
import type { UpdateClaim } from './claim-sources.ts';

/** What a reading brought. */
export interface NewUpdates extends NewlyReceived {
  /** The number from which to read on once these are stored. */
  readonly next: string | null;
}

/**
 * Stores what the holder of a claim has read, and in the same transaction the number from which to read on. Null, and
 * nothing is stored, if the claim is over: a process that stalled meanwhile must not go back behind its successor.
 */
export function storeUpdates(
  db: Db,
  { accountId, holder }: UpdateClaim,
  { next, ...received }: NewUpdates,
): Promise<StoredBatch | null> {
  return transact(db, async (trx, commit) => {
    // Locks the row, so that nobody claims it before the commit.
    const { numAffectedRows } = await sql`
      update update_sources set next_update = ${next}
      where account_id = ${accountId}::uuid and holder = ${holder}::uuid and leased_until > now()`.execute(
      trx,
    );
    if (numAffectedRows !== 1n) return null;
    const stored = await storeReceived(trx, received);
    return commit(Promise.resolve(stored));
  });
}
