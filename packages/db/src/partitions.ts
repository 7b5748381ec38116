import { sql } from 'kysely';
import type { Db } from './connect.ts';

/** A table split by its UUIDv7 key into periods, and how long its rows are kept at least. */
interface Partitioned {
  readonly table: string;
  readonly period: 'month' | 'week';
}

export const partitioned: readonly Partitioned[] = [
  { table: 'messages', period: 'month' },
  { table: 'attempts', period: 'month' },
  { table: 'events', period: 'week' },
  { table: 'deliveries', period: 'week' },
  { table: 'delivery_attempts', period: 'week' },
];

/**
 * Makes the partitions of the present period and the two that follow, by the database's clock, and a default one for
 * ids from a skewed clock. Safe to repeat and to race.
 */
export async function ensurePartitions(db: Db): Promise<void> {
  for (const { table, period } of partitioned) {
    await db.transaction().execute(async (trx) => {
      await sql`select pg_advisory_xact_lock(hashtext(${`partitions:${table}`}))`.execute(trx);
      await sql`create table if not exists ${sql.ref(`${table}_default`)} partition of ${sql.ref(table)} default`.execute(
        trx,
      );
      for (let ahead = 0; ahead <= 2; ahead += 1) await makePartition(trx, table, period, ahead);
    });
  }
}

async function makePartition(
  db: Db,
  table: string,
  period: Partitioned['period'],
  ahead: number,
): Promise<void> {
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
  await sql`
    create table if not exists ${sql.ref(`${table}_${suffix}`)} partition of ${sql.ref(table)}
      for values from (${sql.lit(lowestIdAt(from))}) to (${sql.lit(lowestIdAt(until))})`.execute(db);
}

/**
 * Drops partitions all of whose rows are older than `keepDays`. Returns the names of what was dropped. Rows of the
 * default partition stay: they are few, and their ids say nothing true about their age.
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

/** The smallest UUIDv7 of an instant (RFC 9562: 48 bits of Unix milliseconds lead). */
export function lowestIdAt(at: Date): string {
  const hex = at.getTime().toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}

/** The instant in a UUIDv7, in ms since 1970. */
export function timeOfId(id: string): number {
  return Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
}
