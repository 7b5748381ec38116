import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { text, unnestRows } from '../connection/rows.ts';
import { heldLease, type PartitionLease } from '../ownership/partitions.ts';

/** A change of one of an account's Signal keys. `value` is sealed; null removes the key. */
export interface KeyChange {
  readonly type: string;
  readonly id: string;
  readonly value: string | null;
}

/** The keys of one type, by id, sealed. Leaves out ids that do not exist. */
export async function readKeys(
  db: Db,
  accountId: string,
  type: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; value: string }>`
    select id, value from whatsapp_keys
    where account_id = ${accountId} and type = ${type} and id = any (${[...ids]}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row.value]));
}

/** Up to 100 keys of one type, by id, sealed. */
export async function listKeys(db: Db, accountId: string, type: string): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; value: string }>`
    select id, value from whatsapp_keys where account_id = ${accountId} and type = ${type}
    order by id limit 100`.execute(db);
  return new Map(rows.map((row) => [row.id, row.value]));
}

/**
 * Writes all changes in one statement, whatever their number. If the lease is lost, writes nothing and returns false.
 */
export async function writeKeys(
  db: Db,
  lease: PartitionLease,
  accountId: string,
  changes: readonly KeyChange[],
): Promise<boolean> {
  const removed = changes.filter((change) => change.value === null);
  const put = changes.filter((change) => change.value !== null).toSorted(byKey);
  const names = { type: text((key: KeyChange) => key.type), id: text((key: KeyChange) => key.id) };
  const { rows } = await sql<{ held: boolean }>`
    with lease as materialized (${heldLease(lease)}),
    removed as (
      delete from whatsapp_keys k using ${unnestRows('r', removed, names)}, lease
      where k.account_id = ${accountId} and k.type = r.type and k.id = r.id
    ),
    put as (
      insert into whatsapp_keys (account_id, type, id, value)
      select ${accountId}, p.type, p.id, p.value
      from ${unnestRows('p', put, { ...names, value: text((key) => key.value) })}, lease
      on conflict (account_id, type, id) do update set value = excluded.value
    )
    select exists (select from lease) as held`.execute(db);
  return rows[0]?.held === true;
}

function byKey(a: KeyChange, b: KeyChange): number {
  return a.type < b.type || (a.type === b.type && a.id < b.id) ? -1 : 1;
}
