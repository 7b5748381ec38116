import { failuresUntilFailing } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { newHolder } from '../connection/holder.ts';
import { unnestRows, uuid } from '../connection/rows.ts';
import { claimPacks } from './claim-packs.ts';
import {
  type ClaimedDelivery,
  deleteWithoutEvent,
  type DeliveryClaimRequest,
  type DeliveryClaimTerms,
  mayClaim,
  requestRows,
  toClaimedWebhook,
  type WebhookColumns,
  webhookColumns,
} from './claims.ts';
import { lookedAt, mayPack } from './packing.ts';

interface Row extends WebhookColumns {
  message_id?: string | null;
  traceparent?: string | null;
  /** Null: the webhook takes packs and has one to claim. */
  id: string | null;
  event_id: string;
  body: string | null;
  is_test: boolean | null;
  state: ClaimedDelivery['state'];
  attempts: number;
  claimed_at: Date;
}

type ClaimedRow = Row & { readonly id: string };

/**
 * Leases due deliveries of webhooks, up to each webhook's `limit` and to its permitted number in flight. The answer
 * leaves out webhooks without deliveries to claim, such as those that are paused, disabled, deleted or in the other
 * lane, and all webhooks while sends are held. A failing webhook gets one probe and pauses until that is settled or its lease has ended. Rows whose lease has
 * ended are taken over and posted again: delivery is at least once. Waits for no lock. A webhook that takes packs gets at most one,
 * by a second statement that runs only for such webhooks.
 */
export async function claimDeliveries(
  db: Db,
  wanted: ReadonlyMap<string, DeliveryClaimRequest>,
  terms: DeliveryClaimTerms,
): Promise<Map<string, ClaimedDelivery[]>> {
  const holder = newHolder();
  const traced = terms.traced === true;
  const { rows } = await sql<Row>`
    with limits as (select now() + make_interval(secs => ${terms.leaseMs}::float8 / 1000) as lease_end),
    ${webhooksOf(wanted, terms)},
    picked as (${picked}),
    claimed as (
      update delivery_due d set claimed_until = lease_end, claimed_by = ${holder}
      from limits where d.id = any (array(select id from picked))
      returning new.*, case when old.claimed_by is null then 'call' else 'taken-over' end as state
    )
    select w.id as webhook_id, c.id, c.event_id, e.body, e.event = 'webhook.test' as is_test, c.state, c.attempts,
      now() as claimed_at, ${webhookColumns}${traced ? sql`, e.message_id, e.traceparent` : sql``}
    from webhook w left join claimed c on c.webhook_id = w.id
    left join events e on e.id = c.event_id and e.id = any (array(select event_id from claimed))
    where c.id is not null or w.may_pack
    order by c.due_at, c.id`.execute(db);
  const claimed = rows.filter(isClaimed);
  await deleteWithoutEvent(
    db,
    claimed.filter((row) => row.body === null).map((row) => row.id),
  );
  const alone = claimed.flatMap((row) => (row.body === null ? [] : [toClaimed(row, row.body, holder)]));
  const packing = rows.filter((row) => row.id === null).map((row) => row.webhook_id);
  const packs = packing.length === 0 ? [] : await claimPacks(db, { packing, wanted, terms, holder });
  return Map.groupBy([...alone, ...packs], (one) => one.webhook.id);
}

function isClaimed(row: Row): row is ClaimedRow {
  return row.id !== null;
}

/** The webhooks that may claim now, and how many deliveries each may claim (`free`), in SQL. */
function webhooksOf(
  wanted: ReadonlyMap<string, DeliveryClaimRequest>,
  { lane }: DeliveryClaimTerms,
): RawBuilder<unknown> {
  const ids = [...wanted.keys()];
  const mayGo = mayClaim(ids, lane);
  return sql`
    wanted as (select * from ${requestRows([...wanted])}),
    failing as (
      select id from webhooks w
      where ${mayGo} and pack_max_events is null and failure_count >= ${failuresUntilFailing} and exists (
        select from delivery_due d
        where d.webhook_id = w.id and d.due_at <= now() and coalesce(d.claimed_until < now(), true)
      )
      order by id for no key update skip locked
    ),
    probing as (
      update webhooks w set paused_until = lease_end from limits
      where w.id = any (array(select id from failing))
      returning w.*
    ),
    webhook as (
      select *, true as probe, 1 as free, false as may_pack from probing
      union all
      select w.*, false, least(wanted, at_once - greatest(in_flight, (
        select count(*) filter (where claimed_until >= now())::int - settling
        from (select claimed_until from delivery_due where webhook_id = w.id order by due_at limit ${lookedAt})
      ))), false
      from (select * from webhooks where ${mayGo} and pack_max_events is null and failure_count < ${failuresUntilFailing}) w
      join wanted on wanted.webhook_id = w.id
      union all
      select w.*, false, 0, true
      from (select * from webhooks where ${mayGo} and pack_max_events is not null) w
      join wanted on wanted.webhook_id = w.id
      where wanted.in_flight < w.at_once and ${mayPack}
    )`;
}

/** The deliveries claimed of each webhook, longest due first, in SQL. */
const picked = sql`
      select due.id from webhook w cross join lateral (
        select d.id from delivery_due d
        where d.webhook_id = w.id and d.due_at <= now() and coalesce(d.claimed_until < now(), true)
        order by d.due_at limit greatest(0, w.free) for update of d skip locked
      ) due`;

function toClaimed(row: ClaimedRow, body: string, holder: string): ClaimedDelivery {
  return {
    webhook: toClaimedWebhook(row),
    id: row.id,
    eventId: row.event_id,
    body,
    isTest: row.is_test === true,
    state: row.state,
    holder,
    attempts: row.attempts,
    claimedAt: row.claimed_at,
    ...(row.message_id === undefined
      ? {}
      : { message: { id: row.message_id, traceparent: row.traceparent ?? null } }),
  };
}

/** Gives back deliveries that were claimed and not posted. They are due `afterMs` from now, by default at once. */
export async function releaseDeliveries(
  db: Db,
  claims: readonly Pick<ClaimedDelivery, 'id' | 'holder' | 'pack'>[],
  afterMs = 0,
): Promise<void> {
  const rows = claims.flatMap(({ id, holder, pack }) =>
    (pack?.deliveryIds ?? [id]).map((one) => ({ id: one, holder })),
  );
  if (rows.length === 0) return;
  const released = unnestRows('c', rows, {
    id: uuid((claim) => claim.id),
    holder: uuid((claim) => claim.holder),
  });
  await sql`
    with mine as (
      select d.id from delivery_due d
      join ${released} on c.id = d.id and c.holder = d.claimed_by
      where d.id = any (${rows.map((row) => row.id)}::uuid[])
      order by d.id for update of d
    )
    update delivery_due d set
      claimed_by = null, claimed_until = null,
      due_at = case ${afterMs}::float8 when 0 then d.due_at
        else now() + make_interval(secs => ${afterMs}::float8 / 1000) end
    where d.id = any (array(select id from mine))`.execute(db);
}
