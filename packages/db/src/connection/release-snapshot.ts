import { sql } from 'kysely';
import type { Trx } from './connect.ts';

/**
 * Lets go of the snapshot of the latest statement, which the server keeps until the next one. A transaction that stays
 * open for its lock would otherwise hold back vacuum, and keep every `create index concurrently` waiting for its end.
 * This statement needs no snapshot.
 */
export async function releaseSnapshot(trx: Trx): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(trx);
}
