import { failuresUntilFailing } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from './connect.ts';
import type { Lane } from './tables.ts';
import { skipWaitingDeliveries } from './webhooks.ts';

export interface DeliveryClaimRequest {
  readonly webhookId: string;
  /** The lane of the turn; a webhook of the other lane gives nothing. */
  readonly lane: Lane;
  readonly limit: number;
  /** Who holds the lease; new for every claim, as with messages. */
  readonly holder: string;
  /** Deadline of a post plus the time to settle it, in ms. */
  readonly leaseMs: number;
}

/** The webhook that a turn is for, as it stands in the moment of the claim. */
export interface ClaimedWebhook {
  readonly id: string;
  readonly tenantId: string;
  readonly url: string;
  /** Sealed. */
  readonly secret: string;
  /** Sealed; null unless it still signs. */
  readonly previousSecret: string | null;
  readonly generation: number;
  /** It is failing, and this claim is its one probe. */
  readonly probe: boolean;
}

/** A delivery that this turn, and no other, may post until its lease ends. */
export interface ClaimedDelivery {
  readonly webhook: ClaimedWebhook;
  readonly id: string;
  readonly eventId: string;
  /** The JSON to post, byte for byte. */
  readonly body: string;
  readonly holder: string;
  /** Attempts that have ended before. */
  readonly attempts: number;
  /** The moment of the claim by the database's clock. */
  readonly claimedAt: Date;
}

interface ClaimRow {
  id: string;
  event_id: string;
  body: string | null;
  attempts: number;
  claimed_at: Date;
  tenant_id: string;
  url: string;
  secret: string;
  previous_secret: string | null;
  generation: number;
  probe: boolean;
}

/**
 * Rows that can be in flight are the oldest of their webhook; so many are looked at to count them. More than can be
 * leased, for what is due may commit out of order.
 */
const lookedAt = 300;

/**
 * Leases up to `limit` due deliveries of one webhook, and no more than it may have in flight. Nothing comes while it is
 * paused, disabled, deleted or in the other lane. A failing one is given one probe, and pauses until that has been
 * settled or its lease has ended. Rows whose lease has ended are taken over, and posted again: delivery is at least
 * once.
 */
export async function claimDeliveries(db: Db, request: DeliveryClaimRequest): Promise<ClaimedDelivery[]> {
  const { rows } = await sql<ClaimRow>`
    with limits as (select now() + make_interval(secs => ${request.leaseMs}::float8 / 1000) as lease_end),
    probing as (
      update webhooks set paused_until = lease_end from limits
      where id = ${request.webhookId} and lane = ${request.lane} and is_active
        and failure_count >= ${failuresUntilFailing} and coalesce(paused_until <= now(), true)
        and exists (
          select from delivery_due
          where webhook_id = ${request.webhookId} and due_at <= now() and coalesce(claimed_until < now(), true)
        )
      returning webhooks.*
    ),
    webhook as (
      select *, true as probe, 1 as room from probing
      union all
      select *, false, at_once - (
        select count(*) filter (where claimed_until >= now())::int
        from (select claimed_until from delivery_due where webhook_id = w.id order by due_at limit ${lookedAt})
      )
      from webhooks w
      where id = ${request.webhookId} and lane = ${request.lane} and is_active
        and failure_count < ${failuresUntilFailing} and coalesce(paused_until <= now(), true)
    ),
    picked as (
      select d.id from delivery_due d
      where d.webhook_id = ${request.webhookId} and exists (select from webhook) and d.due_at <= now() and coalesce(d.claimed_until < now(), true)
      order by d.due_at limit (select greatest(0, least(${request.limit}, min(room))) from webhook)
      for update of d skip locked
    ),
    claimed as (
      update delivery_due d set
        claimed_until = lease_end, claimed_by = ${request.holder}
      from limits where d.id = any (array(select id from picked))
      returning d.*
    )
    select c.id, c.event_id, e.body, c.attempts, now() as claimed_at, w.tenant_id, w.url, w.secret, w.generation, w.probe,
      case when w.previous_secret_until > now() then w.previous_secret end as previous_secret
    from claimed c
    left join events e on e.id = c.event_id and e.id = any (array(select event_id from claimed))
    cross join webhook w
    order by c.due_at, c.id`.execute(db);
  await deleteWithoutEvent(db, rows);
  return rows.flatMap((row) => (row.body === null ? [] : [toClaimed(row, row.body, request)]));
}

/** What waited longer than events are kept can never be posted. */
async function deleteWithoutEvent(db: Db, rows: readonly ClaimRow[]): Promise<void> {
  const ids = rows.filter((row) => row.body === null).map((row) => row.id);
  if (ids.length > 0) await db.deleteFrom('delivery_due').where('id', 'in', ids).execute();
}

function toClaimed(row: ClaimRow, body: string, request: DeliveryClaimRequest): ClaimedDelivery {
  const { webhookId, holder } = request;
  return {
    webhook: {
      id: webhookId,
      tenantId: row.tenant_id,
      url: row.url,
      secret: row.secret,
      previousSecret: row.previous_secret,
      generation: row.generation,
      probe: row.probe,
    },
    id: row.id,
    eventId: row.event_id,
    body,
    holder,
    attempts: row.attempts,
    claimedAt: row.claimed_at,
  };
}

/** Gives back deliveries that were claimed and not posted; they are due `afterMs` from now, at once unless given. */
export async function releaseDeliveries(
  db: Db,
  claims: readonly { readonly id: string; readonly holder: string }[],
  afterMs = 0,
): Promise<void> {
  if (claims.length === 0) return;
  await sql`
    with mine as (
      select d.id from delivery_due d
      join unnest(${claims.map((claim) => claim.id)}::uuid[], ${claims.map((claim) => claim.holder)}::uuid[])
        as c(id, holder) on c.id = d.id and c.holder = d.claimed_by
      where d.id = any (${claims.map((claim) => claim.id)}::uuid[])
      order by d.id for update of d
    )
    update delivery_due d set
      claimed_by = null, claimed_until = null,
      due_at = case ${afterMs}::float8 when 0 then d.due_at
        else now() + make_interval(secs => ${afterMs}::float8 / 1000) end
    where d.id = any (array(select id from mine))`.execute(db);
}

/**
 * Clears away what waits for a webhook that gets no deliveries any more: skipped when it is disabled, gone when it is
 * deleted. Leaves an active webhook alone.
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

export interface NextDelivery {
  readonly webhookId: string;
  readonly lane: Lane;
  /** Zero when something is due now. */
  readonly delayMs: number;
}

/**
 * When each webhook has something to do next; webhooks for which nothing waits are left out. One that has as much in
 * flight as it may waits for the first of it. One that is disabled or deleted has to be cleared, as soon as nobody holds
 * a lease.
 */
export async function nextDeliveries(db: Db, webhookIds: readonly string[]): Promise<NextDelivery[]> {
  const { rows } = await sql<{ id: string; lane: Lane; delay_ms: number }>`
    select wanted.id, coalesce(w.lane, 'fast') as lane,
      greatest(0, ceil(extract(epoch from
        case when w.is_active then greatest(
          min(greatest(d.due_at, d.claimed_until, w.paused_until)),
          case when count(*) filter (where d.claimed_until > now()) >= w.at_once
            then min(d.claimed_until) filter (where d.claimed_until > now()) end
        )
        else min(greatest(d.claimed_until, now())) end
      - now()) * 1000))::float8 as delay_ms
    from unnest(${[...webhookIds]}::uuid[]) as wanted(id)
    left join webhooks w on w.id = wanted.id
    cross join lateral (
      select due_at, claimed_until from delivery_due where webhook_id = wanted.id order by due_at limit ${lookedAt}
    ) d
    group by wanted.id, w.id`.execute(db);
  return rows.map((row) => ({ webhookId: row.id, lane: row.lane, delayMs: row.delay_ms }));
}

/**
 * Webhooks with something that has been due for `overdueMs` and that nobody works on. Walks the webhooks by a loose
 * index scan: its cost grows with the number of webhooks that wait, not with their deliveries.
 */
export async function overdueWebhooks(
  db: Db,
  overdueMs: number,
): Promise<{ readonly id: string; readonly lane: Lane }[]> {
  const { rows } = await sql<{ id: string; lane: Lane }>`
    with recursive waiting as (
      (select webhook_id as id from delivery_due order by webhook_id limit 1)
      union all
      select (select d.webhook_id from delivery_due d where d.webhook_id > w.id order by d.webhook_id limit 1)
      from waiting w where w.id is not null
    )
    select waiting.id, coalesce(w.lane, 'fast') as lane
    from waiting left join webhooks w on w.id = waiting.id
    cross join lateral (select now() - make_interval(secs => ${overdueMs}::float8 / 1000) as since) limits
    where waiting.id is not null and coalesce(w.paused_until <= since, true) and exists (
      select 1 from delivery_due d
      where d.webhook_id = waiting.id and d.due_at <= since and coalesce(d.claimed_until <= since, true)
    )`.execute(db);
  return rows;
}
