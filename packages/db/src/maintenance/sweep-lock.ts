import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { releaseSnapshot } from '../connection/release-snapshot.ts';

/**
 * Runs `task` unless another process is running the task of this name. Returns whether it ran. The lock belongs to a
 * transaction that stays open meanwhile and holds nothing else, so it ends with its process.
 */
export async function withSweepLock(db: Db, name: string, task: () => Promise<void>): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{ held: boolean }>`
      select pg_try_advisory_xact_lock(hashtextextended(${`sweep:${name}`}, 0)) as held`.execute(trx);
    if (rows[0]?.held !== true) return false;
    await releaseSnapshot(trx);
    await task();
    return true;
  });
}
