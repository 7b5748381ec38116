import type { Channel } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';

/** Those of the ids that are accounts of the tenant and not removed. */
export async function findAccountIds(db: Db, tenantId: string, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from channel_accounts
    where id = any (${ids}::uuid[]) and tenant_id = ${tenantId} and deleted_at is null`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/**
 * The account from which a key for these accounts sends on a channel if the send names none: the only one, or the default
 * account if that is among them. Null if there is no such account. Removed accounts do not count.
 */
export async function chooseAccount(
  db: Db,
  tenantId: string,
  channel: Channel,
  ids: readonly string[],
): Promise<string | null> {
  const { rows } = await sql<{ id: string; is_default: boolean }>`
    select id, is_default from channel_accounts
    where id = any (${ids}::uuid[]) and tenant_id = ${tenantId} and channel = ${channel} and deleted_at is null`.execute(
    db,
  );
  const [only, second] = rows;
  if (only === undefined || second === undefined) return only?.id ?? null;
  return rows.find((row) => row.is_default)?.id ?? null;
}
