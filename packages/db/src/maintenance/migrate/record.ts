import { sql } from 'kysely';
import { type Patience, withBriefLocks } from '../../connection/brief-locks.ts';
import type { Db } from '../../connection/connect.ts';
import type { Statements } from '../../connection/transact.ts';
import type { Migration } from './migration.ts';

/** A migration that the database has. */
export interface Applied {
  readonly name: string;
  /** Null where the version that applied it did not store that. */
  readonly compatibleFrom: string | null;
}

/**
 * Makes the table of applied migrations, or adds what it lacks. It keeps the name that Kysely gave it, by which versions
 * up to 0.1.0 read and write it.
 */
export async function prepareRecord(db: Db, known: readonly Migration[], patience: Patience): Promise<void> {
  await sql`
    create table if not exists kysely_migration (
      name varchar(255) primary key, timestamp varchar(255) not null, compatible_from text
    )`.execute(db);
  if (!(await tellsCompatibility(db)))
    await withBriefLocks(db, patience, (trx) =>
      sql`alter table kysely_migration add column if not exists compatible_from text`.execute(trx),
    );
  const names = known.map(({ name }) => name);
  const versions = known.map(({ compatibleFrom }) => compatibleFrom);
  await sql`
    update kysely_migration m set compatible_from = k.compatible_from
    from unnest(${names}::text[], ${versions}::text[]) as k (name, compatible_from)
    where k.name = m.name and m.compatible_from is distinct from k.compatible_from`.execute(db);
}

/** Every applied migration. Empty for a new database. */
export async function readRecord(db: Statements): Promise<Applied[]> {
  const table = await sql<{ exists: boolean }>`
    select to_regclass('kysely_migration') is not null as exists`.execute(db);
  if (table.rows[0]?.exists !== true) return [];
  const compatibleFrom = (await tellsCompatibility(db)) ? sql`compatible_from` : sql`null::text`;
  const { rows } = await sql<Applied>`
    select name, ${compatibleFrom} as "compatibleFrom" from kysely_migration order by name`.execute(db);
  return rows;
}

/** Writes down that a migration was applied. */
export async function record(db: Statements, { name, compatibleFrom }: Migration): Promise<void> {
  await sql`
    insert into kysely_migration (name, timestamp, compatible_from)
    values (${name}, ${new Date().toISOString()}, ${compatibleFrom})`.execute(db);
}

async function tellsCompatibility(db: Statements): Promise<boolean> {
  const { rows } = await sql`
    select from pg_attribute
    where attrelid = to_regclass('kysely_migration') and attname = 'compatible_from' and not attisdropped`.execute(
    db,
  );
  return rows.length > 0;
}
