import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { sql } from 'kysely';
import { FileMigrationProvider, Migrator } from 'kysely/migration';
import type { Db } from '../connection/connect.ts';
import { ensurePartitions } from './partitions.ts';

const migrationFolder = path.resolve(import.meta.dirname, '../../../../migrations');

/** The oldest server this service runs on: `uuidv7()` came with 18. */
const oldestServer = 180_000;

/**
 * Applies every pending migration and makes the partitions of now and the next two periods. Returns the names of the
 * applied migrations and throws the first failure. Several processes may run it at once.
 */
export async function migrate(db: Db): Promise<string[]> {
  const server = await sql<{
    version: number;
  }>`select current_setting('server_version_num')::int as version`.execute(db);
  const version = server.rows[0]?.version ?? 0;
  if (version < oldestServer) throw new Error(`Postgres 18 or later is needed; this server says ${version}`);
  const { error, results } = await migrator(db).migrateToLatest();
  if (error) throw error instanceof Error ? error : new Error('a migration failed', { cause: error });
  await ensurePartitions(db);
  return (results ?? []).map((result) => result.migrationName);
}

/** Names of migrations that this code has and the database lacks. A process starts only when there are none. */
export async function pendingMigrations(db: Db): Promise<string[]> {
  const all = await migrator(db).getMigrations();
  return all.filter((migration) => migration.executedAt === undefined).map((migration) => migration.name);
}

/** The readiness of a process: rejects if the database is unreachable or lacks a migration that this code has. */
export async function demandMigrated(db: Db): Promise<void> {
  const pending = await pendingMigrations(db);
  if (pending.length > 0) throw new Error(`migrations are pending: ${pending.join(', ')}`);
}

function migrator(db: Db): Migrator {
  const provider = new FileMigrationProvider({ fs: { readdir }, path, migrationFolder });
  return new Migrator({ db, provider });
}
