import { setTimeout as wait } from 'node:timers/promises';
import { lowestId, lowestIdAt } from '@notify/core';
import { sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';

/** A table whose rows are counted. Its rows never change, and their ids hold the time at which they were made. */
export type Counted = 'events' | 'delivery_attempts';

/**
 * The rows being counted: those of transactions from `xid` (null: from the first) to below `nextXid`, which have all
 * ended. In the table's id order, all of them come after the row `after`.
 */
export interface Pass {
  readonly xid: string | null;
  readonly nextXid: string;
  readonly after: string;
}

/**
 * The tolerance in ms: the clock may go back by this much, or an id may be made this long before its transaction gets
 * its number (one statement does both), and every row is still counted. Rows of this period are read again and told
 * apart by their transactions.
 */
export const overlapMs = 5_000;

/**
 * Begins to count the rows committed since the last pass, unless a pass is running, or ended less than `notWithinMs`
 * ago. Returns whether there is something to count.
 */
export async function beginPass(db: Db, source: Counted, notWithinMs: number): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const held = await sql<{ next_xid: string | null; due: boolean; foreign: boolean }>`
      select next_xid::text, coalesce(as_of <= now() - make_interval(secs => ${notWithinMs} / 1000.0), true) as due,
        coalesce(greatest(xid, next_xid) >= pg_snapshot_xmax(pg_current_snapshot()), false) as foreign
      from usage_progress where source = ${source} for update skip locked`.execute(trx);
    const row = held.rows[0];
    if (row === undefined) return false;
    if (row.foreign) await renumber(trx, source);
    if (row.next_xid !== null) return true;
    if (!row.due) return false;
    // Our own number separates earlier transactions, which the pass waits for, from later ones. (The `xmax` of a
    // snapshot does not: it may be below the numbers of transactions that began long ago.)
    const begun = await sql<{ as_of: Date | null; next_as_of: Date }>`
      update usage_progress set next_as_of = now(), next_xid = pg_current_xact_id()
      where source = ${source} returning as_of, next_as_of`.execute(trx);
    const { as_of: asOf, next_as_of: nextAsOf } = begun.rows[0]!;
    const after = asOf === null ? lowestId : lowestIdAt(earlier(asOf, nextAsOf));
    await sql`update usage_progress set after = ${after} where source = ${source}`.execute(trx);
    return true;
  });
}

/**
 * The numbers come from another server, from which this database was restored: no number here has been that high. Rows
 * that were not counted there are known by their time alone.
 */
async function renumber(trx: Trx, source: Counted): Promise<void> {
  await sql`
    update usage_progress set xid = null,
      next_xid = case when next_xid is not null then pg_current_xact_id() end
    where source = ${source}`.execute(trx);
}

/** If the clock has gone back, so have the ids. */
function earlier(one: Date, other: Date): Date {
  return new Date(Math.min(one.getTime(), other.getTime()) - overlapMs);
}

const askEveryMs = 20;

/** Waits until every transaction of the pass has ended. False if one lasts beyond `withinMs`, or no pass is running. */
export async function isSettled(db: Db, source: Counted, withinMs: number): Promise<boolean> {
  for (let waitedMs = 0; ; waitedMs += askEveryMs) {
    const { rows } = await sql<{ settled: boolean | null }>`
      select pg_snapshot_xmin(pg_current_snapshot()) >= next_xid as settled
      from usage_progress where source = ${source}`.execute(db);
    const settled = rows[0]?.settled ?? null;
    if (settled !== false || waitedMs >= withinMs) return settled === true;
    await wait(askEveryMs);
  }
}

/**
 * The running pass, locked by this transaction, so that its next statement sees every row that the pass can count. Null
 * when there is none, when another process holds it, or when one of its transactions has not ended.
 */
export async function lockPass(trx: Trx, source: Counted): Promise<Pass | null> {
  const { rows } = await sql<Pass>`
    select xid::text, next_xid::text as "nextXid", after from usage_progress
    where source = ${source} and next_xid <= pg_snapshot_xmin(pg_current_snapshot()) for update skip locked`.execute(
    trx,
  );
  return rows[0] ?? null;
}

/** Makes the next statement continue after this row. Null ends the pass. */
export async function advancePass(trx: Trx, source: Counted, after: string | null): Promise<void> {
  if (after !== null)
    await sql`update usage_progress set after = ${after} where source = ${source}`.execute(trx);
  else
    await sql`
      update usage_progress set as_of = next_as_of, xid = next_xid, next_as_of = null, next_xid = null
      where source = ${source}`.execute(trx);
}
