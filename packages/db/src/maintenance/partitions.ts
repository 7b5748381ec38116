import { lowestIdAt, timeOfId } from '@notify/core';
import { sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';

/** A table partitioned by its UUIDv7 key into periods, and the least time that its rows are kept. */
interface Partitioned {
  readonly table: string;
  readonly key: string;
  readonly period: 'month' | 'week';
  /** How full new rows fill a page, in percent; default 100. The rest is for new versions of its rows. */
  readonly fillfactor?: number;
}

export const partitioned: readonly Partitioned[] = [
  { table: 'messages', key: 'id', period: 'month', fillfactor: 70 },
  { table: 'attempts', key: 'message_id', period: 'month' },
  { table: 'conversation_messages', key: 'message_id', period: 'month' },
  { table: 'events', key: 'id', period: 'week' },
  { table: 'deliveries', key: 'id', period: 'week' },
  { table: 'delivery_attempts', key: 'id', period: 'week' },
];

/**
 * Makes the partitions of the present period and the two that follow, by the database's clock, and a default one for
 * ids from a skewed clock. Rows of the default partition move to a new partition that covers them. Safe to repeat and
 * to run concurrently.
 */
export async function ensurePartitions(db: Db): Promise<void> {
  for (const one of partitioned) {
    const { table } = one;
    await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtext(${`partitions:${table}`}))`.execute(trx);
      await sql`create table if not exists ${sql.ref(`${table}_default`)} partition of ${sql.ref(table)} default`.execute(
        trx,
      );
      for (let ahead = 0; ahead <= 2; ahead += 1) await makePartition(trx, one, ahead);
    });
  }
}

async function makePartition(
  trx: Trx,
  { table, key, period, fillfactor = 100 }: Partitioned,
  ahead: number,
): Promise<void> {
  const { from, until, suffix } = await periodAhead(trx, period, ahead);
  const name = `${table}_${suffix}`;
  const present = await sql<{ name: string | null }>`select to_regclass(${name})::text as name`.execute(trx);
  if (present.rows[0]?.name) return;
  await sql`create table ${sql.ref(name)} (like ${sql.ref(table)} including all)
    with (fillfactor = ${sql.lit(fillfactor)})`.execute(trx);
  // Attaching a partition fails while the default one holds rows of its range, so the lock keeps new rows out.
  await sql`lock table ${sql.ref(`${table}_default`)} in access exclusive mode`.execute(trx);
  await sql`
    with moved as (
      delete from ${sql.ref(`${table}_default`)} where ${sql.ref(key)} >= ${from} and ${sql.ref(key)} < ${until}
      returning *
    )
    insert into ${sql.ref(name)} select * from moved`.execute(trx);
  await sql`
    alter table ${sql.ref(table)} attach partition ${sql.ref(name)}
      for values from (${sql.lit(from)}) to (${sql.lit(until)})`.execute(trx);
}

/** The id range of the period that begins `ahead` periods after the present one, and the suffix of its name. */
async function periodAhead(
  trx: Trx,
  period: Partitioned['period'],
  ahead: number,
): Promise<{ from: string; until: string; suffix: string }> {
  const bounds = await sql<{ from: Date; until: Date; suffix: string }>`
    with start as (
      select date_trunc(${period}, now() at time zone 'UTC')
        + ${sql.lit(ahead)} * ${sql.lit(`1 ${period}`)}::interval as at
    )
    select at at time zone 'UTC' as "from",
      (at + ${sql.lit(`1 ${period}`)}::interval) at time zone 'UTC' as until,
      to_char(at, 'YYYYMMDD') as suffix
    from start`.execute(trx);
  const { from, until, suffix } = bounds.rows[0]!;
  return { from: lowestIdAt(from), until: lowestIdAt(until), suffix };
}

/**
 * Drops partitions whose rows are all older than `keepDays`. Returns the names of the dropped ones. Rows of the default
 * partition stay: they are few, and their ids do not tell their age.
 */
export async function dropPartitionsBefore(db: Db, table: string, keepDays: number): Promise<string[]> {
  const expired = await sql<{ name: string; bound: string; now: Date }>`
    select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound, now()
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass`.execute(db);
  const dropped: string[] = [];
  for (const { name, bound, now } of expired.rows) {
    const until = bound.match(/TO \('([0-9a-f-]+)'\)/)?.[1];
    if (until === undefined || timeOfId(until) > now.getTime() - keepDays * 86_400_000) continue;
    await sql`drop table if exists ${sql.ref(name)}`.execute(db);
    dropped.push(name);
  }
  return dropped;
}

/** Every row written since then is still in the partitioned table. Null while no retention limits that. */
export async function keptSince(db: Db, table: string): Promise<Date | null> {
  const { rows } = await sql<{ bound: string }>`
    select pg_get_expr(c.relpartbound, c.oid) as bound
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass`.execute(db);
  const starts = rows.flatMap(({ bound }) => bound.match(/FROM \('([0-9a-f-]+)'\)/)?.[1] ?? []);
  return starts.length === 0 ? null : new Date(Math.min(...starts.map(timeOfId)));
}
