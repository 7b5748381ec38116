import type { Db } from '@notify/db/connection';
import { rollUpUsage } from '@notify/db/usage';

const settleWithinMs = 300_000;

/**
 * Counts usage, as a dispatch worker does, and waits for as long as it takes for transactions that run: also those of other
 * databases of the server, which other tests have. Returns the number of rows read.
 */
export function countUsage(db: Db): Promise<number> {
  return rollUpUsage(db, { settleWithinMs });
}
