import type { Lane, NextTurn } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { mayLeave } from '../holds/hold.ts';
import { dueAt, lookedAtInPacks, packWait } from './packing.ts';
import { skipWaitingDeliveries } from './webhooks.ts';

/**
 * Clears the deliveries that wait for a webhook without further posts: skips them if it is disabled, removes them if it
 * is deleted. Leaves an active webhook alone.
 */
export async function clearUndeliverable(db: Db, webhookId: string): Promise<void> {
  const webhook = await db
    .selectFrom('webhooks')
    .select('is_active')
    .where('id', '=', webhookId)
    .executeTakeFirst();
  if (webhook === undefined) await deleteWaiting(db, webhookId);
  else if (!webhook.is_active) await skipWaitingDeliveries(db, webhookId);
}

async function deleteWaiting(db: Db, webhookId: string): Promise<void> {
  await sql`
    delete from delivery_due where id in (
      select id from delivery_due where webhook_id = ${webhookId} order by id for update skip locked
    )`.execute(db);
}

/**
 * When each webhook next has work. Webhooks without waiting deliveries are left out. A webhook with its permitted
 * number in flight waits for the first of them to end. Deliveries that may fill a pack wait for others first. A disabled or
 * deleted webhook must be cleared as soon as no turn holds a lease.
 */
export async function nextDeliveries(db: Db, webhookIds: readonly string[]): Promise<NextTurn[]> {
  const { rows } = await sql<{ id: string; lane: Lane; delay_ms: number }>`
    select wanted.id, coalesce(w.lane, 'fast') as lane,
      greatest(0, ceil(extract(epoch from
        case when w.is_active then greatest(
          min(greatest(
            case when d.fresh >= w.pack_max_events then d.due_at else ${dueAt} end,
            d.claimed_until, w.paused_until)),
          case when count(distinct coalesce(d.pack_id, d.id)) filter (where d.claimed_until > now()) >= w.at_once
            then min(d.claimed_until) filter (where d.claimed_until > now()) end
        )
        else min(greatest(d.claimed_until, now())) end
      - now()) * 1000))::float8 as delay_ms
    from unnest(${webhookIds}::uuid[]) as wanted(id)
    left join webhooks w on w.id = wanted.id
    cross join lateral (
      select o.*, count(*) filter (where pack_id is null and claimed_until is null and due_at <= now()) over () as fresh
      from (
        select id, due_at, claimed_until, attempts, pack_id from delivery_due
        where webhook_id = wanted.id order by due_at limit ${lookedAtInPacks}
      ) o
    ) d
    where ${mayLeave} or w.is_active is distinct from true
    group by wanted.id, w.id`.execute(db);
  return rows.map((row) => ({ id: row.id, lane: row.lane, delayMs: row.delay_ms }));
}

/**
 * Webhooks with a delivery that has been due for `overdueMs`, beyond its wait for others of a pack, and that no turn
 * holds. Walks the webhooks by a loose index scan, so its cost grows with the number of webhooks that wait, independent of their deliveries.
 */
export async function overdueWebhooks(
  db: Db,
  overdueMs: number,
): Promise<{ readonly id: string; readonly lane: Lane }[]> {
  const { rows } = await sql<{ id: string; lane: Lane }>`
    with recursive waiting as (
      (select webhook_id from delivery_due order by webhook_id limit 1)
      union all
      select (select d.webhook_id from delivery_due d where d.webhook_id > w.webhook_id
        order by d.webhook_id limit 1)
      from waiting w where w.webhook_id is not null
    )
    select waiting.webhook_id as id, coalesce(w.lane, 'fast') as lane
    from waiting left join webhooks w on w.id = waiting.webhook_id
    cross join lateral (select now() - make_interval(secs => ${overdueMs}::float8 / 1000) as since) limits
    where waiting.webhook_id is not null and coalesce(w.paused_until <= since, true)
      and (${mayLeave} or w.is_active is distinct from true) and exists (
      select 1 from delivery_due d
      where d.webhook_id = waiting.webhook_id and d.due_at <= since and coalesce(d.claimed_until <= since, true)
        and (d.pack_id is not null or d.due_at <= since - ${packWait})
    )`.execute(db);
  return rows;
}
