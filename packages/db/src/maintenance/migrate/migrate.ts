import { sql } from 'kysely';
import { patienceOf } from '../../connection/brief-locks.ts';
import type { Db } from '../../connection/connect.ts';
import { ensurePartitions } from '../partitions.ts';
import { apply } from './apply.ts';
import type { MigrationEvent } from './events.ts';
import { knownMigrations } from './files.ts';
import { refuseTooNew } from './fit.ts';
import type { Migration } from './migration.ts';
import { oneAtATime } from './one-at-a-time.ts';
import { refuseWhileOlderRun } from './older-processes.ts';
import { prepareRecord, readRecord } from './record.ts';

/** The oldest server this service runs on: `uuidv7()` came with 18. */
const oldestServer = 180_000;
const defaultWaitSeconds = 300;

export interface MigrateOptions {
  /** How long to wait for another `migrate`, and for each migration's locks. Default 300. */
  readonly waitSeconds?: number;
  readonly onEvent?: (event: MigrationEvent) => void;
  /** Default: those of this code. */
  readonly migrations?: readonly Migration[];
}

/**
 * Applies every pending migration and makes the partitions of now and the next two periods. Returns the names of the
 * applied migrations. Throws the first failure, and what was applied before it stays: `LockedOut` or `MigratedByOther`
 * if others were in the way for too long, a `SchemaError` if a newer version has changed the schema. Processes go on
 * sending meanwhile, because no lock is waited for longer than a moment. If several run it, one waits for the other. It
 * needs a pool of at least 4 connections, and a pool whose connections keep their session if a migration wants no
 * transaction.
 */
export async function migrate(db: Db, options: MigrateOptions = {}): Promise<string[]> {
  const { waitSeconds = defaultWaitSeconds, onEvent = () => undefined } = options;
  const known = options.migrations ?? (await knownMigrations());
  await demandServer(db);
  const { until } = patienceOf(waitSeconds);
  const onQueued = (behind: QueuedBehind) => onEvent({ kind: 'queued', behind });
  return oneAtATime(db, until, onQueued, async (lost) => {
    await prepareRecord(db, known, patienceOf(waitSeconds));
    const pending = await pendingOf(db, known);
    await refuseWhileOlderRun(db, pending);
    for (const [index, migration] of pending.entries()) {
      if (lost.aborted) throw new Error('lost the connection that keeps other migrations away; run it again');
      const { name } = migration;
      onEvent({ kind: 'began', name, number: index + 1, of: pending.length });
      const began = performance.now();
      await apply(db, migration, patienceOf(waitSeconds).until, {
        onWait: (inTheWay) => onEvent({ kind: 'waits', name, inTheWay }),
        onBuild: (build) => onEvent({ kind: 'builds', name, build }),
      });
      onEvent({ kind: 'applied', name, tookMs: performance.now() - began });
    }
    await ensurePartitions(db, patienceOf(waitSeconds));
    return pending.map(({ name }) => name);
  });
}

type QueuedBehind = Extract<MigrationEvent, { kind: 'queued' }>['behind'];

async function demandServer(db: Db): Promise<void> {
  const { rows } = await sql<{ version: number }>`
    select current_setting('server_version_num')::int as version`.execute(db);
  const version = rows[0]?.version ?? 0;
  if (version < oldestServer) throw new Error(`Postgres 18 or later is needed; this server says ${version}`);
}

async function pendingOf(db: Db, known: readonly Migration[]): Promise<Migration[]> {
  const applied = await readRecord(db);
  refuseTooNew(known, applied);
  const names = new Set(applied.map(({ name }) => name));
  return known.filter(({ name }) => !names.has(name));
}
