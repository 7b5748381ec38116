import { sql } from 'kysely';
import type { Db } from '../../../src/connection/index.ts';

/** A transaction that holds a lock on a table. */
export interface HeldLock {
  readonly pid: number;
  /** Ends the transaction. */
  release(): Promise<void>;
}

/** Begins a transaction that holds the lock, as a long query or a forgotten session does. */
export async function holdLock(db: Db, table: string, mode: string): Promise<HeldLock> {
  const trx = await db.startTransaction().execute();
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
  // The latest statement, because it needs no snapshot.
  await sql`lock table ${sql.ref(table)} in ${sql.raw(mode)} mode`.execute(trx);
  return {
    pid: rows[0]!.pid,
    async release() {
      await trx.commit().execute();
    },
  };
}
