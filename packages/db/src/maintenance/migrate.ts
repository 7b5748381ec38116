import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import { DEFAULT_MIGRATION_TABLE, FileMigrationProvider, type Migration, Migrator } from 'kysely/migration';
import type { Db } from '../connection/connect.ts';
import { ensurePartitions } from './partitions.ts';

const migrationFolder = path.resolve(import.meta.dirname, '../../../../migrations');

/** The oldest server this service runs on: `uuidv7()` came with 18. */
const oldestServer = 180_000;

/** How often a migration is tried that cannot get a table within its `lock_timeout`, and how long sends go on meanwhile. */
const lockTries = 30;
const lockPauseMs = 3_000;
/** PostgreSQL, "Error Codes": lock_not_available. */
const lockNotAvailable = '55P03';

/**
 * Applies every pending migration, each in a transaction of its own, and makes the partitions of now and the next two
 * periods. Returns the names of the applied migrations and throws the first failure; what was applied before it stays.
 * Several processes may run it at once.
 */
export async function migrate(db: Db): Promise<string[]> {
  const server = await sql<{
    version: number;
  }>`select current_setting('server_version_num')::int as version`.execute(db);
  const version = server.rows[0]?.version ?? 0;
  if (version < oldestServer) throw new Error(`Postgres 18 or later is needed; this server says ${version}`);
  const applied: string[] = [];
  for (let name = await migrateOne(db); name !== null; name = await migrateOne(db)) applied.push(name);
  await ensurePartitions(db);
  return applied;
}

/**
 * Applies the next pending migration. Returns its name, or null when none is pending. In one transaction with others, it
 * would hold its locks until the last of them has ended.
 */
async function migrateOne(db: Db): Promise<string | null> {
  for (let left = lockTries; ; left -= 1) {
    const { error, results } = await migrator(db).migrateUp();
    if (error === undefined) return results?.[0]?.migrationName ?? null;
    const name = results?.find(({ status }) => status === 'Error')?.migrationName;
    if (!isLockedOut(error)) throw error instanceof Error ? error : failure(name, error);
    if (left <= 1) throw failure(name, error);
    await wait(lockPauseMs);
  }
}

function isLockedOut(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === lockNotAvailable;
}

function failure(name: string | undefined, cause: unknown): Error {
  const why = isLockedOut(cause)
    ? 'a long query or transaction holds a table that it changes. End it (pg_stat_activity shows it) and migrate again'
    : 'see the cause';
  return new Error(`migration ${name ?? ''} failed: ${why}`, { cause });
}

/**
 * Names of migrations that this code has and the database lacks. A process starts only when there are none. It asks for
 * the names alone: the Migrator would look at every column of every partition.
 */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const known = Object.keys(await loadFiles()).toSorted();
  const table = await sql<{ exists: boolean }>`
    select to_regclass(${DEFAULT_MIGRATION_TABLE}) is not null as exists`.execute(db);
  if (table.rows[0]?.exists !== true) return known;
  const applied = await sql<{ name: string }>`select name from ${sql.table(DEFAULT_MIGRATION_TABLE)}`.execute(
    db,
  );
  const names = new Set(applied.rows.map(({ name }) => name));
  return known.filter((name) => !names.has(name));
}

/** The readiness of a process: rejects if the database is unreachable or lacks a migration that this code has. */
export async function demandMigrated(db: Db): Promise<void> {
  const pending = await pendingMigrations(db);
  if (pending.length > 0) throw new Error(`migrations are pending: ${pending.join(', ')}`);
}

const files = new FileMigrationProvider({ fs: { readdir }, path, migrationFolder });
let loaded: Promise<Record<string, Migration>> | null = null;

/** Reads the files once, because the steps of `migrate` need them again and again. */
function loadFiles(): Promise<Record<string, Migration>> {
  return (loaded ??= files.getMigrations());
}

function migrator(db: Db): Migrator {
  return new Migrator({ db, provider: { getMigrations: loadFiles } });
}
