import { sql } from 'kysely';
import type { Statements } from '../../connection/transact.ts';
import { knownMigrations } from './files.ts';
import { refuseTooNew } from './fit.ts';
import type { LockMode, Migration } from './migration.ts';
import { type OlderProcess, olderProcesses } from './older-processes.ts';
import { readRecord } from './record.ts';

/** A pending migration, and what applying it means. */
export interface PlannedMigration {
  readonly name: string;
  readonly transaction: boolean;
  readonly compatibleFrom: string;
  readonly locks: readonly PlannedLock[];
}

export interface PlannedLock {
  readonly table: string;
  readonly mode: LockMode;
  /** With indexes and partitions. Null: the table does not exist yet. */
  readonly bytes: number | null;
}

export interface MigrationPlan {
  readonly pending: readonly PlannedMigration[];
  /** Running processes that must be replaced or ended before. */
  readonly inTheWay: readonly OlderProcess[];
}

/** What `migrate` would do now. Changes nothing, and locks nothing that anybody waits for. */
export async function planMigrations(db: Statements, known?: readonly Migration[]): Promise<MigrationPlan> {
  const all = known ?? (await knownMigrations());
  const applied = await readRecord(db);
  refuseTooNew(all, applied);
  const names = new Set(applied.map(({ name }) => name));
  const pending = all.filter(({ name }) => !names.has(name));
  const planned: PlannedMigration[] = [];
  for (const { name, transaction, compatibleFrom, locks } of pending) {
    const withSizes = await Promise.all(
      Object.entries(locks).map(async ([table, mode]) => ({ table, mode, bytes: await sizeOf(db, table) })),
    );
    planned.push({ name, transaction, compatibleFrom, locks: withSizes });
  }
  return { pending: planned, inTheWay: await olderProcesses(db, pending) };
}

async function sizeOf(db: Statements, table: string): Promise<number | null> {
  const { rows } = await sql<{ bytes: number | null }>`
    select sum(pg_total_relation_size(t.relid))::float8 as bytes
    from pg_class c left join lateral (
      select relid from pg_partition_tree(c.oid) where c.relkind = 'p' union all select c.oid where c.relkind <> 'p'
    ) t on true
    where c.oid = to_regclass(${table})`.execute(db);
  return rows[0]?.bytes ?? null;
}
