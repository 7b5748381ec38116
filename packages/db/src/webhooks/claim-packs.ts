import { failuresUntilFailing } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import {
  type ClaimedDelivery,
  type DeliveryClaimRequest,
  type DeliveryClaimTerms,
  deleteWithoutEvent,
  mayClaim,
  requestRows,
  toClaimedWebhook,
  type WebhookColumns,
  webhookColumns,
} from './claims.ts';
import { dueAt, lookedAtInPacks, packBytes } from './packing.ts';
import { packBody } from './pack-body.ts';

/** A delivery of a claimed pack. */
interface Row extends WebhookColumns {
  pack_id: string;
  id: string;
  event_id: string;
  event: string | null;
  message_id: string | null;
  sequence: number | null;
  body: string | null;
  attempts: number;
  taken_over: boolean;
  claimed_at: Date;
}

/**
 * Leases one pack of each of the webhooks that are `packing`. A pack that was made before is taken as it is. One that has lost
 * deliveries, such as to the version before, which posts them one by one, is packed anew under a new id, so an id never stands for
 * other contents. A new pack takes the deliveries that have been due longest: as many as the webhook allows and fit, with the same
 * number of attempts. A test event goes alone. The lock of the webhook keeps out a change of its URL or mode.
 */
export async function claimPacks(
  db: Db,
  {
    packing,
    wanted,
    terms,
    holder,
  }: {
    readonly packing: readonly string[];
    readonly wanted: ReadonlyMap<string, DeliveryClaimRequest>;
    readonly terms: DeliveryClaimTerms;
    readonly holder: string;
  },
): Promise<ClaimedDelivery[]> {
  const requests = [...wanted].filter(([id]) => packing.includes(id));
  const { rows } = await sql<Row>`
    with limits as (select now() + make_interval(secs => ${terms.leaseMs}::float8 / 1000) as lease_end),
    wanted as (select * from ${requestRows(requests)}),
    locked as (
      select * from webhooks where ${mayClaim(packing, terms.lane)} and pack_max_events is not null
      order by id for no key update skip locked
    ),
    webhook as materialized (
      select w.*, uuidv7() as new_pack, failure_count >= ${failuresUntilFailing} as probe,
        case when failure_count >= ${failuresUntilFailing} then 1 else least(wanted, at_once - greatest(in_flight, (
          select count(distinct coalesce(pack_id, id)) filter (where claimed_until >= now())::int - settling
          from (select * from delivery_due where webhook_id = w.id order by due_at limit ${lookedAtInPacks})
        ))) end as free
      from locked w join wanted on wanted.webhook_id = w.id
    ),
    due as materialized (
      select d.* from webhook w cross join lateral (
        select d.id, d.webhook_id, d.event_id, d.attempts, d.due_at, d.pack_id from delivery_due d
        where d.webhook_id = w.id and d.due_at <= now() and coalesce(d.claimed_until < now(), true)
        order by d.due_at limit case when w.free > 0 then w.pack_max_events else 0 end for update of d skip locked
      ) d
    ),
    first as materialized (
      select distinct on (d.webhook_id) d.* from due d join webhook w on w.id = d.webhook_id
      where ${dueAt} <= now()
        or (select count(*) from due o where o.webhook_id = d.webhook_id and o.pack_id is null) >= w.pack_max_events
      order by d.webhook_id, d.due_at, d.id
    ),
    made as materialized (
      select id, delivery_ids from delivery_packs where id = any (array(select pack_id from first where pack_id is not null))
    ),
    members as materialized (
      select d.id, d.webhook_id, d.event_id, d.pack_id from delivery_due d
      where d.id = any (array(select unnest(delivery_ids) from made)) and d.pack_id = any (array(select id from made))
        and coalesce(d.claimed_until < now(), true)
      order by d.id for update of d skip locked
    ),
    told as materialized (
      select id, event, message_id, sequence, body from events
      where id = any (array(select event_id from due union all select event_id from members))
    ),
    whole as (
      select m.id from made m
      where cardinality(m.delivery_ids)
        = (select count(*) from members d join told e on e.id = d.event_id where d.pack_id = m.id)
    ),
    again as (
      select d.id, d.webhook_id, d.event_id, coalesce(p.id, w.new_pack) as pack_id, p.id is null as is_new
      from members d join webhook w on w.id = d.webhook_id left join whole p on p.id = d.pack_id
      union all
      select d.id, d.webhook_id, d.event_id, w.new_pack, true
      from due d join first f using (webhook_id) join webhook w on w.id = d.webhook_id
      where f.pack_id is not null and d.pack_id = f.pack_id and d.id <> all (array(select id from members))
    ),
    fresh as (
      select d.id, d.webhook_id, d.event_id, w.new_pack as pack_id, true as is_new,
        row_number() over nearest as place, sum(octet_length(coalesce(e.body, '')) + 1) over nearest as bytes
      from first f
      join due d on d.webhook_id = f.webhook_id and d.pack_id is null and d.attempts = f.attempts
      join webhook w on w.id = f.webhook_id
      left join told e on e.id = d.event_id left join told l on l.id = f.event_id
      where f.pack_id is null and case when l.event = 'webhook.test' then d.id = f.id else e.event is distinct from 'webhook.test' end
      window nearest as (partition by d.webhook_id order by d.due_at, d.id)
    ),
    packed as materialized (
      select o.*, e.id is not null as is_told,
        row_number() over (partition by o.pack_id order by e.id is null, o.id) = 1 as leads
      from (
        select * from again
        union all
        select id, webhook_id, event_id, pack_id, is_new from fresh where place = 1 or bytes <= ${packBytes}
      ) o left join told e on e.id = o.event_id
    ),
    stored as (
      insert into delivery_packs (id, webhook_id, tenant_id, delivery_ids)
      select p.pack_id, w.id, w.tenant_id, coalesce(array_agg(p.id order by p.id) filter (where p.is_told), '{}')
      from packed p join webhook w on w.id = p.webhook_id where p.is_new group by p.pack_id, w.id, w.tenant_id
    ),
    probing as (
      update webhooks w set paused_until = lease_end from limits
      where w.id = any (array(select id from webhook where probe)) and w.id = any (array(select webhook_id from packed))
    ),
    claimed as (
      update delivery_due d set claimed_until = lease_end, claimed_by = ${holder}, pack_id = p.pack_id,
        leads_pack = case when p.leads then true end
      from limits, packed p where d.id = p.id and d.id = any (array(select id from packed))
      returning new.id, new.webhook_id, new.event_id, new.pack_id, new.attempts, old.claimed_by is not null as taken_over
    )
    select c.pack_id, w.id as webhook_id, c.id, c.event_id, e.event, e.message_id, e.sequence, e.body, c.attempts, c.taken_over,
      now() as claimed_at, ${webhookColumns}
    from claimed c join webhook w on w.id = c.webhook_id left join told e on e.id = c.event_id
    order by c.id`.execute(db);
  await deleteWithoutEvent(
    db,
    rows.filter((row) => row.body === null).map((row) => row.id),
  );
  return Map.groupBy(rows.filter(hasBody), (row) => row.pack_id)
    .values()
    .map((ofPack) => toClaimed(ofPack, holder))
    .toArray();
}

type Told = Row & { readonly body: string };

function hasBody(row: Row): row is Told {
  return row.body !== null;
}

function toClaimed(rows: readonly Told[], holder: string): ClaimedDelivery {
  const first = rows[0]!;
  return {
    webhook: toClaimedWebhook(first),
    id: first.id,
    eventId: first.event_id,
    body: packBody(
      first.pack_id,
      rows.map(({ event_id: eventId, message_id: messageId, sequence, body }) => ({
        eventId,
        messageId,
        sequence,
        body,
      })),
    ),
    isTest: rows.every((row) => row.event === 'webhook.test'),
    state: rows.some((row) => row.taken_over) ? 'taken-over' : 'call',
    holder,
    attempts: Math.max(...rows.map((row) => row.attempts)),
    claimedAt: first.claimed_at,
    pack: { id: first.pack_id, deliveryIds: rows.map((row) => row.id) },
  };
}
