import type { Lane, NextTurn } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { mayLeave } from '../holds/hold.ts';

/** When each account next has work. Accounts without work, or held until somebody acts, are left out. */
export async function nextDue(db: Db, accountIds: readonly string[]): Promise<NextTurn[]> {
  const { rows } = await sql<{ id: string; lane: Lane; delay_ms: number }>`
    select a.id, a.lane,
      greatest(0, ceil(extract(epoch from min(
        case when a.deleted_at is not null then greatest(now(), d.claimed_until)
          else greatest(d.due_at, d.claimed_until, a.paused_until, a.paced_until) end
      ) - now()) * 1000))::float8 as delay_ms
    from channel_accounts a
    cross join lateral (
      (select due_at, claimed_until from dispatch_due
        where account_id = a.id and not bulk and expires_at > now() order by due_at limit 300)
      union all
      (select due_at, claimed_until from dispatch_due
        where account_id = a.id and bulk and expires_at > now() order by due_at limit 300)
    ) d
    where a.id = any (${accountIds}::uuid[])
      and (a.deleted_at is not null or (
        not a.blocked and coalesce(a.paused_until < 'infinity', true) and ${mayLeave}
      ))
    group by a.id`.execute(db);
  return rows.map((row) => ({ id: row.id, lane: row.lane, delayMs: row.delay_ms }));
}

/** How many messages of each account are due and unclaimed, counted up to `atMost`. Leaves out accounts without any. */
export async function countDue(
  db: Db,
  accountIds: readonly string[],
  atMost: number,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    select a.id, due.count
    from unnest(${accountIds}::uuid[]) a (id)
    cross join lateral (
      select least(count(*), ${atMost}::int)::int as count from (
        (${unclaimed(sql`not bulk`, atMost)}) union all (${unclaimed(sql`bulk`, atMost)})
      ) both_kinds
    ) due
    where due.count > 0`.execute(db);
  return new Map(rows.map(({ id, count }) => [id, count]));
}

/** Up to `atMost` due rows of one kind of the account `a` that no turn holds, in SQL. */
function unclaimed(kind: RawBuilder<unknown>, atMost: number): RawBuilder<unknown> {
  return sql`select from dispatch_due where account_id = a.id and ${kind} and due_at <= now()
          and expires_at > now() and coalesce(claimed_until < now(), true) order by due_at limit ${atMost}`;
}

/**
 * Accounts with a message that has been due for `overdueMs` and that no turn holds. Walks the accounts by a loose index
 * scan, so its cost grows with the number of accounts that wait, independent of their messages.
 */
export async function overdueAccounts(
  db: Db,
  overdueMs: number,
): Promise<{ readonly id: string; readonly lane: Lane }[]> {
  const { rows } = await sql<{ id: string; lane: Lane }>`
    with recursive waiting as (
      (select account_id from dispatch_due order by account_id limit 1)
      union all
      select (select d.account_id from dispatch_due d where d.account_id > w.account_id
        order by d.account_id limit 1)
      from waiting w where w.account_id is not null
    )
    select a.id, a.lane from waiting w join channel_accounts a on a.id = w.account_id
    cross join lateral (
      select now() - make_interval(secs => ${overdueMs}::float8 / 1000) as since offset 0
    ) limits
    where a.deleted_at is not null or (
      not a.blocked and coalesce(greatest(a.paused_until, a.paced_until) <= now(), true) and ${mayLeave} and (
        exists (${overdue(sql`not d.bulk`)}) or exists (${overdue(sql`d.bulk`)})
      ))`.execute(db);
  return rows;
}

function overdue(kind: RawBuilder<unknown>) {
  return sql`
          select 1 from dispatch_due d where d.account_id = a.id and ${kind} and d.due_at <= since
            and d.expires_at > now() and coalesce(d.claimed_until <= since, true)`;
}
