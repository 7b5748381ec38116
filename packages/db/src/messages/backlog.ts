import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { isKnown } from './accept-statement.ts';

/**
 * The tenant's waiting messages, counted up to `atMost`, without those that are scheduled for later (`countScheduled`). Counts
 * by account, because there is no index by tenant. Only of those that are not due it reads more than the index.
 */
export async function countWaiting(db: Db, tenantId: string, atMost: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select 1 from channel_accounts a cross join lateral (
        select from dispatch_due where account_id = a.id and due_at <= now()
        union all
        select from dispatch_due where account_id = a.id and due_at > now() and coalesce(scheduled_at <= now(), true)
        limit ${atMost}
      ) due
      where a.tenant_id = ${tenantId} limit ${atMost}
    ) waiting`.execute(db);
  return rows[0]?.count ?? 0;
}

/** How many of these idempotency keys the tenant has used within the last `days`. */
export async function countKnownKeys(
  db: Db,
  tenantId: string,
  keys: readonly string[],
  days: number,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from idempotency_keys
    where tenant_id = ${tenantId} and key = any (${[...keys]}::text[])
      and ${isKnown(days)}`.execute(db);
  return rows[0]?.count ?? 0;
}
