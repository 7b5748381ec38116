import { chmod, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from '@notify/embedded';
import pg from 'pg';
import { makeDatabaseFolder } from '../database-folder.ts';
import { flagsOf, type OwnPostgres, type OwnPostgresOptions, startServer } from '../postgres.ts';
import { baseBackup, writeLike } from './base-backup.ts';

/** A Postgres server that archives its WAL, so that it can be restored to a point in time (PostgreSQL 18, 25.3). */
export interface ArchivedPostgres extends OwnPostgres {
  /** Makes the base backup, while the server runs. */
  backUp(): Promise<void>;
  /** Marks this moment. Resolves when the archive has all WAL up to it. */
  markPoint(name: string): Promise<void>;
  /**
   * Restores the base backup into a new cluster, which takes the place of the stopped server at the same URL, up to the marked
   * moment. Resolves when it takes writes.
   */
  restore(point: string): Promise<void>;
}

const lookMs = 20;
const withinMs = 120_000;

export async function startArchivedPostgres(options: OwnPostgresOptions = {}): Promise<ArchivedPostgres> {
  const { durable = false, password = 'test', ...log } = options;
  const dir = await makeDatabaseFolder('notify-archived-postgres-', { durable });
  const archive = path.join(dir, 'archive');
  const backup = path.join(dir, 'backup');
  await mkdir(archive);
  // For root, the server runs as another user.
  await chmod(archive, 0o777);
  const port = await freePort();
  const flags = [
    ...flagsOf(durable),
    // Shared memory in the data folder, because a killed server whose folder is removed would leave it behind.
    ...settings({
      dynamic_shared_memory_type: 'mmap',
      archive_mode: 'on',
      archive_command: `test ! -f ${archive}/%f && cp %p ${archive}/.%f && mv ${archive}/.%f ${archive}/%f`,
    }),
  ];
  let server = await startServer({ dataDir: path.join(dir, 'data'), port, password, flags, ...log });

  return {
    url: server.url,
    get folder() {
      return server.folder;
    },
    stop: (how) => server.stop(how),
    start: () => server.start(),
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
    backUp: () => baseBackup(server, backup),
    async markPoint(name) {
      await asking(server.url, async (client) => {
        await client.query('select pg_create_restore_point($1)', [name]);
        const { rows } = await client.query<{ file: string }>(
          'select pg_walfile_name(pg_switch_wal()) as file',
        );
        const file = rows[0]!.file;
        await until(async () => {
          const archived = await client.query('select from pg_stat_archiver where last_archived_wal >= $1', [
            file,
          ]);
          return archived.rows.length > 0;
        });
      });
    },
    async restore(point) {
      const dataDir = path.join(dir, 'restored');
      await rename(backup, dataDir);
      await writeLike(dataDir, path.join(dataDir, 'recovery.signal'), '');
      const recovery = settings({
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_name: point,
        recovery_target_action: 'promote',
      });
      server = await startServer({ dataDir, port, password, flags: [...flags, ...recovery], ...log });
      await asking(server.url, (client) =>
        until(async () => (await client.query('select where not pg_is_in_recovery()')).rows.length > 0),
      );
    },
    async remove() {
      await server.stop('immediate');
      await rm(dir, { recursive: true, force: true });
    },
  };
}

function settings(values: Readonly<Record<string, string>>): string[] {
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const deadline = performance.now() + withinMs; !(await holds());) {
    if (performance.now() > deadline) throw new Error(`Postgres is not ready after ${withinMs / 1_000} s`);
    await wait(lookMs);
  }
}

async function asking(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: withinMs });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
