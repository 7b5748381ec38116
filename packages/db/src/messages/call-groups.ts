import type { Wake } from '@notify/core';
import { sql } from 'kysely';
import type { Statements } from '../connection/transact.ts';

/**
 * Has the groups of these messages looked at, in the transaction that changes the messages. Only adds rows, so it waits for nobody, and a
 * move that is under way cannot miss the change: it removes the rows that it sees before it reads the messages. Returns the tenants to wake.
 */
export async function callGroups(trx: Statements, messageIds: readonly string[]): Promise<Wake[]> {
  const { rows } = await sql<{ tenant_id: string }>`
    insert into group_due (group_id, tenant_id)
    select distinct group_id, tenant_id from messages
    where id = any (${[...messageIds]}::uuid[]) and group_id is not null
    returning tenant_id`.execute(trx);
  return groupWakes(rows.map((row) => row.tenant_id));
}

/** A wake for the groups of each tenant. All take the same lane: a move calls no provider, so none is slow. */
export function groupWakes(tenantIds: readonly string[]): Wake[] {
  return [...new Set(tenantIds)].map((id) => ({ id, lane: 'fast' }));
}
