import { sql } from 'kysely';
import type { Db } from '../../connection/connect.ts';
import type { Statements } from '../../connection/transact.ts';
import type { Migration } from './migration.ts';
import { isBefore } from './version.ts';

/** A running process that a pending migration would break. */
export interface OlderProcess {
  readonly name: string;
  readonly version: string;
  readonly host: string;
  readonly pid: number;
  /** The first migration that its version does not work with. */
  readonly migration: string;
  readonly compatibleFrom: string;
}

/** Running processes whose version does not work with the schema after `pending`. */
export async function olderProcesses(db: Statements, pending: readonly Migration[]): Promise<OlderProcess[]> {
  const table = await sql<{ exists: boolean }>`
    select to_regclass('processes') is not null as exists`.execute(db);
  if (table.rows[0]?.exists !== true) return [];
  // Three heartbeats, as `processAliveSeconds` says.
  const { rows } = await sql<Omit<OlderProcess, 'migration' | 'compatibleFrom'>>`
    select name, version, host, pid from processes where seen_at > now() - interval '15 seconds'
    order by name, host, pid`.execute(db);
  return rows.flatMap((one) => {
    const broken = pending.find(({ compatibleFrom }) => isBefore(one.version, compatibleFrom));
    return broken === undefined
      ? []
      : [{ ...one, migration: broken.name, compatibleFrom: broken.compatibleFrom }];
  });
}

/** Rejects if a process runs that one of the migrations would break. */
export async function refuseWhileOlderRun(db: Db, pending: readonly Migration[]): Promise<void> {
  const [older] = await olderProcesses(db, pending);
  if (older === undefined) return;
  const { name, version, host, pid, migration, compatibleFrom } = older;
  throw new Error(
    `${name} of version ${version} still runs (${host}, pid ${pid}), and migration ${migration} needs version ${compatibleFrom}: replace or end it first`,
  );
}
