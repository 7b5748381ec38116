import { setTimeout as wait } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { type Patience, withBriefLocks } from '../../connection/brief-locks.ts';
import type { Db } from '../../connection/connect.ts';
import { sessionsInTheWay, type Session } from '../../connection/sessions.ts';
import type { IndexBuild } from './events.ts';
import { buildIndex } from './index-builder.ts';
import type { Migration, MigrationTools } from './migration.ts';
import { record } from './record.ts';

const lookMs = 1_000;

/** Hears of the progress of one migration. */
export interface Listener {
  readonly onWait: (inTheWay: readonly Session[]) => void;
  readonly onBuild: (build: IndexBuild) => void;
}

/** Applies a migration and writes that down. One with a transaction does both or neither. */
export async function apply(db: Db, migration: Migration, until: number, listener: Listener): Promise<void> {
  const patience = { until, onWait: listener.onWait };
  if (!migration.transaction) return applyOutside(db, migration, patience, listener);
  await withBriefLocks(db, patience, async (trx) => {
    await migration.up(trx as unknown as Kysely<never>, noTools);
    await record(trx, migration);
  });
}

const noTools: MigrationTools = {
  createIndexConcurrently: () => Promise.reject(new Error('needs `export const transaction = false`')),
};

async function applyOutside(
  db: Db,
  migration: Migration,
  patience: Patience,
  listener: Listener,
): Promise<void> {
  await db.connection().execute(async (connection) => {
    const pid = await unlimited(connection);
    const watching = new AbortController();
    const watched = watchBuild(db, pid, listener, watching.signal);
    try {
      await migration.up(connection as unknown as Kysely<never>, {
        createIndexConcurrently: (index) => buildIndex({ db, connection, patience }, index),
      });
      await record(connection, migration);
    } finally {
      watching.abort();
      await watched;
      await sql`reset all`.execute(connection).catch(() => undefined);
    }
  });
}

/**
 * The build of an index may take hours, and waits for every older transaction without holding anybody up. Postgres
 * ends it soon after this process has gone. Returns the process id of the session.
 */
async function unlimited(connection: Db): Promise<number> {
  const { rows } = await sql<{ pid: number }>`
    select pg_backend_pid() as pid, set_config('statement_timeout', '0', false), set_config('lock_timeout', '0', false),
      set_config('client_connection_check_interval', '1s', false)`.execute(connection);
  return rows[0]!.pid;
}

async function watchBuild(db: Db, pid: number, { onWait, onBuild }: Listener, done: AbortSignal) {
  for (;;) {
    await wait(lookMs, undefined, { signal: done }).catch(() => undefined);
    if (done.aborted) return;
    try {
      const build = await buildOf(db, pid);
      if (build !== null) onBuild(build);
      const inTheWay = await sessionsInTheWay(db, pid);
      if (inTheWay.length > 0) onWait(inTheWay);
    } catch {
      // It only looks on. If the database is away, the migration says so.
    }
  }
}

async function buildOf(db: Db, pid: number): Promise<IndexBuild | null> {
  const { rows } = await sql<IndexBuild>`
    select coalesce(index_relid::regclass::text, '') as index, relid::regclass::text as table, phase,
      (case when blocks_total > 0 then blocks_done else tuples_done end)::float8 as done,
      (case when blocks_total > 0 then blocks_total else tuples_total end)::float8 as total
    from pg_stat_progress_create_index where pid = ${pid}`.execute(db);
  return rows[0] ?? null;
}
