import { sql } from 'kysely';
import type { Trx } from './connect.ts';

/**
 * Has the statements of the transaction read indexes in their order, row by row, until they have what they need. The planner
 * may guess few rows between two ids, and would rather read all there are and sort them: a million, for a step of some
 * thousands.
 */
export async function readInOrder(trx: Trx): Promise<void> {
  await sql`select set_config('enable_seqscan', 'off', true), set_config('enable_bitmapscan', 'off', true),
    set_config('enable_sort', 'off', true)`.execute(trx);
}
