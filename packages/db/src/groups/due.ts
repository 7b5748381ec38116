import type { NextTurn, Wake } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { mayLeave } from '../holds/hold.ts';
import { groupWakes } from '../messages/call-groups.ts';

/** Up to `limit` groups of the tenant to look at, those that have been due longest first, without the ones in `except`. */
export async function dueGroups(
  db: Db,
  tenantId: string,
  limit: number,
  except: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select group_id as id from (
      select group_id, due_at from group_due
      where tenant_id = ${tenantId}::uuid and due_at <= now() and ${mayLeave} and group_id <> all (${[...except]}::uuid[])
      order by due_at limit ${4 * limit}
    ) due group by group_id order by min(due_at) limit ${limit}`.execute(db);
  return rows.map((row) => row.id);
}

/** When each tenant next has a group to look at. Leaves out tenants without any. */
export async function nextGroups(db: Db, tenantIds: readonly string[]): Promise<NextTurn[]> {
  const { rows } = await sql<{ id: string; delay_ms: number }>`
    select t.id, greatest(0, ceil(extract(epoch from first.due_at - now()) * 1000))::float8 as delay_ms
    from unnest(${[...tenantIds]}::uuid[]) t (id)
    cross join lateral (
      select due_at from group_due where tenant_id = t.id order by due_at limit 1
    ) first
    where ${mayLeave}`.execute(db);
  return rows.map((row) => ({ id: row.id, lane: 'fast', delayMs: row.delay_ms }));
}

/**
 * Tenants with a group that has been due for `overdueMs`. Its cost grows with the number of tenants that have groups, independent of
 * how many they have.
 */
export async function overdueGroups(db: Db, overdueMs: number): Promise<Wake[]> {
  const { rows } = await sql<{ id: string }>`
    with recursive ${tenantsWithGroups}
    select w.tenant_id as id from waiting w cross join lateral (
      select due_at from group_due where tenant_id = w.tenant_id order by due_at limit 1
    ) first
    where first.due_at <= now() - make_interval(secs => ${overdueMs}::float8 / 1000) and ${mayLeave}`.execute(
    db,
  );
  return groupWakes(rows.map((row) => row.id));
}

/** The tenants with groups to look at, in SQL, found by a loose index scan. At the end, one is null. */
export const tenantsWithGroups = sql`waiting as (
      (select tenant_id from group_due order by tenant_id limit 1)
      union all
      select (select d.tenant_id from group_due d where d.tenant_id > w.tenant_id order by d.tenant_id limit 1)
      from waiting w where w.tenant_id is not null
    )`;

/** Puts off looking at a group, because a look has failed. */
export async function putOffGroup(db: Db, groupId: string, ms: number): Promise<void> {
  await sql`
    update group_due set due_at = now() + make_interval(secs => ${ms}::float8 / 1000)
    where group_id = ${groupId}::uuid and due_at <= now()`.execute(db);
}
