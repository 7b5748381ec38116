import type { Db } from '@notify/db/connection';
import type { RawBuilder } from 'kysely';

const tries = 10;

/**
 * Runs a statement that changes a table in use. It locks every partition, and can meet a deadlock with the service, in
 * which Postgres may end either of them. Asked again, it gets its locks.
 */
export async function changeTable(db: Db, statement: RawBuilder<unknown>): Promise<void> {
  for (let left = tries; ; left -= 1) {
    try {
      await statement.execute(db);
      return;
    } catch (error) {
      const isDeadlock = error instanceof Error && 'code' in error && error.code === '40P01';
      if (!isDeadlock || left <= 1) throw error;
    }
  }
}
