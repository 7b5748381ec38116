import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { countStretch } from './count.ts';
import { advancePass, beginPass, type Counted, holdPass, isSettled } from './progress.ts';

export interface RollUpOptions {
  /** No further stretch is begun. */
  readonly ending?: AbortSignal;
  /** What was counted less than this long ago, in ms, is left alone. */
  readonly notWithinMs?: number;
  /** How long transactions that are under way are waited for, in ms; then the next call goes on. */
  readonly settleWithinMs?: number;
  /** Rows that are looked at in one transaction. */
  readonly rowsAtOnce?: number;
}

/**
 * Counts what was committed since the last call into `usage`: messages by their events, and posts to webhooks. Each row
 * counts once, whoever else is counting, and whatever is killed: figures and progress are written in one transaction.
 * Returns the rows looked at; those at the edge are looked at twice.
 */
export async function rollUpUsage(db: Db, options: RollUpOptions = {}): Promise<number> {
  return (await rollUp(db, 'events', options)) + (await rollUp(db, 'delivery_attempts', options));
}

async function rollUp(db: Db, source: Counted, options: RollUpOptions): Promise<number> {
  const { ending, notWithinMs = 0, settleWithinMs = 1_000, rowsAtOnce = 20_000 } = options;
  if (!(await beginPass(db, source, notWithinMs))) return 0;
  if (!(await isSettled(db, source, settleWithinMs))) return 0;
  for (let rows = 0; ;) {
    const counted = ending?.aborted === true ? null : await countNext(db, source, rowsAtOnce);
    if (counted === null) return rows;
    rows += counted;
    if (counted < rowsAtOnce) return rows;
  }
}

/** Null when another process counts, or nothing is left. */
async function countNext(db: Db, source: Counted, limit: number): Promise<number | null> {
  return db.transaction().execute(async (trx) => {
    const pass = await holdPass(trx, source);
    if (pass === null) return null;
    await sql`set local jit = off`.execute(trx);
    const { rows, last } = await countStretch(trx, source, pass, limit);
    await advancePass(trx, source, rows < limit ? null : last);
    return rows;
  });
}
