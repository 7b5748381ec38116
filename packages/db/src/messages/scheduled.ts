import type { Lane, Wake } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { isNothingLaterPlanned, soonUntil } from './send-at.ts';

/** Messages that came near their time. */
export interface Approached {
  readonly count: number;
  /** Their accounts, unless they are paused: to wake when their first message is due. */
  readonly accounts: readonly Wake[];
}

/**
 * Moves up to `limit` scheduled messages that are due within a minute to `dispatch_due`, where turns claim them when they are
 * due. Those that are due first move first. A row that another transaction holds is left for later: it is being canceled or
 * rescheduled.
 */
export async function moveApproaching(db: Db, limit: number): Promise<Approached> {
  const { rows } = await sql<{
    count: number;
    accounts: { id: string; lane: Lane; delayMs: number }[] | null;
  }>`
    with approaching as (
      select message_id from scheduled_messages where due_at <= ${soonUntil} order by due_at limit ${limit}
      for update skip locked
    ),
    taken as (
      delete from scheduled_messages where message_id = any (array(select message_id from approaching))
      returning message_id, account_id, tenant_id, bulk, due_at, expires_at
    ),
    moved as (
      insert into dispatch_due (message_id, account_id, tenant_id, bulk, due_at, expires_at, scheduled_at)
      select message_id, account_id, tenant_id, bulk, due_at, expires_at, due_at from taken order by message_id
    ),
    firsts as (select account_id, min(due_at) as due_at from taken group by account_id)
    select (select count(*)::int from taken) as count, (
      select json_agg(json_build_object('id', a.id, 'lane', a.lane, 'delayMs',
        case when ${isNothingLaterPlanned(sql`a.id`, sql`f.due_at`)}
          then greatest(0, ceil(extract(epoch from f.due_at - now()) * 1000)) else 0 end))
      from firsts f join channel_accounts a on a.id = f.account_id
      where a.deleted_at is not null
        or not a.blocked and coalesce(greatest(a.paused_until, a.paced_until) <= f.due_at, true)
    ) as accounts`.execute(db);
  const { count, accounts } = rows[0]!;
  return { count, accounts: accounts ?? [] };
}

/**
 * How many messages of the tenant are scheduled for later, counted up to `atMost`. They do not count as waiting
 * (`countWaiting`).
 */
export async function countScheduled(db: Db, tenantId: string, atMost: number): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (
      select 1 from channel_accounts a cross join lateral (
        select from scheduled_messages where account_id = a.id
        union all
        select from dispatch_due where account_id = a.id and due_at > now() and scheduled_at > now()
        limit ${atMost}
      ) later
      where a.tenant_id = ${tenantId} limit ${atMost}
    ) scheduled`.execute(db);
  return rows[0]?.count ?? 0;
}
