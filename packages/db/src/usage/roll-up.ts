import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { countStretch } from './count.ts';
import { advancePass, beginPass, type Counted, lockPass, isSettled } from './progress.ts';

export interface RollUpOptions {
  /** After it is aborted, no further statement begins. */
  readonly ending?: AbortSignal;
  /** Skips a table that was counted less than this long ago, in ms. */
  readonly notWithinMs?: number;
  /** How long to wait for running transactions, in ms. After that, the next call continues. */
  readonly settleWithinMs?: number;
  /** The most rows read in one transaction. */
  readonly rowsAtOnce?: number;
}

/**
 * Counts the rows committed since the last call into `usage`: messages by their events, and posts to webhooks. Figures
 * and progress are written in one transaction, so each row counts once, even with concurrent callers and after a crash.
 * Returns the number of rows read. Rows at the edge are read twice.
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

/** Null when another process is counting, or no row is left. */
async function countNext(db: Db, source: Counted, limit: number): Promise<number | null> {
  return db.transaction().execute(async (trx) => {
    const pass = await lockPass(trx, source);
    if (pass === null) return null;
    await sql`set local jit = off`.execute(trx);
    const { rows, last } = await countStretch(trx, source, pass, limit);
    await advancePass(trx, source, rows < limit ? null : last);
    return rows;
  });
}
