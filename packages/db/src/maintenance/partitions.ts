import { lowestIdAt, timeOfId } from '@notify/core';
import { sql } from 'kysely';
import { type Patience, patienceOf, withBriefLocks } from '../connection/brief-locks.ts';
import type { Db, Trx } from '../connection/connect.ts';
import type { Statements } from '../connection/transact.ts';

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
  { table: 'message_tags', key: 'message_id', period: 'month' },
  { table: 'events', key: 'id', period: 'week' },
  { table: 'deliveries', key: 'id', period: 'week' },
  { table: 'delivery_attempts', key: 'id', period: 'week' },
  { table: 'delivery_packs', key: 'id', period: 'week' },
];

/** Maintenance runs again in an hour. */
const waitSeconds = 60;

/**
 * Makes the partitions of the present period and the two that follow, by the database's clock, and a default one for
 * ids from a skewed clock. Rows of the default partition move to a new partition that covers them. Safe to repeat and
 * to run concurrently. It waits for locks as `withBriefLocks` does, so it needs a pool of at least 2 connections.
 */
export async function ensurePartitions(db: Db, patience = patienceOf(waitSeconds)): Promise<void> {
  for (const one of partitioned) {
    if (!(await exists(db, `${one.table}_default`))) await makeDefault(db, one, patience);
    for (let ahead = 0; ahead <= 2; ahead += 1) {
      const range = await periodAhead(db, one.period, ahead);
      if (!(await exists(db, `${one.table}_${range.suffix}`))) await makePartition(db, one, range, patience);
    }
  }
}

async function exists(db: Statements, table: string): Promise<boolean> {
  const { rows } = await sql<{ exists: boolean }>`select to_regclass(${table}) is not null as exists`.execute(
    db,
  );
  return rows[0]?.exists === true;
}

async function makeDefault(db: Db, { table }: Partitioned, patience: Patience): Promise<void> {
  await withBriefLocks(db, patience, async (trx) => {
    await oneAtATime(trx, table);
    await sql`create table if not exists ${sql.ref(`${table}_default`)} partition of ${sql.ref(table)} default`.execute(
      trx,
    );
  });
}

/** Others that make partitions of the table wait. */
async function oneAtATime(trx: Trx, table: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext(${`partitions:${table}`}))`.execute(trx);
}

async function makePartition(
  db: Db,
  { table, key, fillfactor = 100 }: Partitioned,
  { from, until, suffix }: IdRange,
  patience: Patience,
): Promise<void> {
  const name = `${table}_${suffix}`;
  await withBriefLocks(db, patience, async (trx) => {
    await oneAtATime(trx, table);
    if (await exists(trx, name)) return;
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
  });
}

interface IdRange {
  readonly from: string;
  readonly until: string;
  /** Names its partition. */
  readonly suffix: string;
}

/** The id range of the period that begins `ahead` periods after the present one, and the suffix of its name. */
async function periodAhead(db: Statements, period: Partitioned['period'], ahead: number): Promise<IdRange> {
  const bounds = await sql<{ from: Date; until: Date; suffix: string }>`
    with start as (
      select date_trunc(${period}, now() at time zone 'UTC')
        + ${sql.lit(ahead)} * ${sql.lit(`1 ${period}`)}::interval as at
    )
    select at at time zone 'UTC' as "from",
      (at + ${sql.lit(`1 ${period}`)}::interval) at time zone 'UTC' as until,
      to_char(at, 'YYYYMMDD') as suffix
    from start`.execute(db);
  const { from, until, suffix } = bounds.rows[0]!;
  return { from: lowestIdAt(from), until: lowestIdAt(until), suffix };
}

/** The tables whose key is the id of a message. */
const ofMessages: readonly string[] = partitioned
  .filter(({ table, key }) => table === 'messages' || key === 'message_id')
  .map(({ table }) => table);

/**
 * Drops partitions whose rows are all older than `keepDays`. Returns the names of the dropped ones. Partitions with a message
 * that still waits stay. Rows of the default partition stay, too: they are few, and their ids do not tell their age. It waits for
 * locks as `withBriefLocks` does.
 */
export async function dropPartitionsBefore(db: Db, table: string, keepDays: number): Promise<string[]> {
  const expired = await sql<{ name: string; bound: string; now: Date }>`
    select c.relname as name, pg_get_expr(c.relpartbound, c.oid) as bound, now()
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = ${table}::regclass`.execute(db);
  const dropped: string[] = [];
  for (const { name, bound, now } of expired.rows) {
    const [, from, until] = bound.match(/FROM \('([0-9a-f-]+)'\) TO \('([0-9a-f-]+)'\)/) ?? [];
    if (from === undefined || until === undefined) continue;
    if (timeOfId(until) > now.getTime() - keepDays * 86_400_000) continue;
    if (ofMessages.includes(table) && (await isWaitedFor(db, from, until))) continue;
    // `detach partition concurrently` is impossible beside a default partition.
    await withBriefLocks(db, patienceOf(waitSeconds), (trx) =>
      sql`drop table if exists ${sql.ref(name)}`.execute(trx),
    );
    dropped.push(name);
  }
  return dropped;
}

/** Whether a message with an id from `from` to before `until` waits. */
async function isWaitedFor(db: Db, from: string, until: string): Promise<boolean> {
  const isWaiting = (table: string) =>
    sql`exists (select from ${sql.table(table)} where message_id >= ${from}::uuid and message_id < ${until}::uuid)`;
  const { rows } = await sql<{ waits: boolean }>`
    select ${isWaiting('scheduled_messages')} or ${isWaiting('dispatch_due')} as waits`.execute(db);
  return rows[0]!.waits;
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
