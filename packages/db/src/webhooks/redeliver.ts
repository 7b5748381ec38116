import { failuresUntilFailing, type Lane, lowestIdAt } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import { isDatabaseAway } from '../connection/away.ts';
import type { Db } from '../connection/connect.ts';
import { type Statements, transact } from '../connection/transact.ts';
import { isWanted } from '../messages/wanted-events.ts';

/** The result of a request for a delivery. A disabled webhook gets none. */
export type Redelivery =
  | { readonly kind: 'waits'; readonly deliveryId: string; readonly eventId: string; readonly lane: Lane }
  | { readonly kind: 'not-found' | 'disabled' };

interface Waiting {
  deliveryId: string;
  eventId: string;
  lane: Lane;
}

/**
 * Makes a `webhook.test` event and one delivery of it, whatever events the webhook subscribes to. A failing webhook is
 * tried at once.
 */
export async function testWebhook(db: Db, tenantId: string, webhookId: string): Promise<Redelivery> {
  const { rows } = await sql<Waiting>`
    with made as (
      select uuidv7() as event_id, uuidv7() as id, w.id as webhook_id, w.tenant_id, w.lane, ${packOfOne}
      from webhooks w where w.id = ${webhookId} and w.tenant_id = ${tenantId} and w.is_active
    ),
    told as (
      insert into events (id, tenant_id, message_id, event, sequence, body, occurred_at)
      select event_id, tenant_id, null, 'webhook.test', null,
        event_body(event_id, 'webhook.test', null, now(), null, tenant_id, null, null, null, null, null, null, null,
          null, false),
        now()
      from made
    ),
    due as (
      insert into delivery_due (id, webhook_id, tenant_id, event_id, due_at, created_at, pack_id, leads_pack)
      select id, webhook_id, tenant_id, event_id, now(), now(), pack_id, case when pack_id is not null then true end from made
    ),
    packed as (
      insert into delivery_packs (id, webhook_id, tenant_id, delivery_ids)
      select pack_id, webhook_id, tenant_id, array[id] from made where pack_id is not null
    ),
    probe as (${probeNow(sql`made`, webhookId)})
    select id as "deliveryId", event_id as "eventId", lane from made`.execute(db);
  return toRedelivery(db, tenantId, webhookId, rows[0]);
}

/** A new pack for a webhook `w` that takes packs, otherwise null, in SQL. What is asked for by hand waits for no others. */
const packOfOne = sql`case when w.pack_max_events is not null then uuidv7() end as pack_id`;

/** What to deliver again: one delivery, or all of a pack. */
type RetryOf = { readonly deliveryId: string } | { readonly packId: string };

/**
 * Delivers again. What waits is due at once, with the whole of its pack. For an ended delivery, makes a new one with its
 * own schedule: a pack of that one where the webhook takes packs. What has ended of a pack is posted as a new pack. A
 * failing webhook is tried at once, with the delivery that has waited longest.
 */
export async function retryDelivery(
  db: Db,
  tenantId: string,
  webhookId: string,
  of: RetryOf,
): Promise<Redelivery> {
  // A delivery that ends meanwhile has left the one table, and the same snapshot does not see it in the other.
  const made =
    (await makeRetry(db, tenantId, webhookId, of)) ?? (await makeRetry(db, tenantId, webhookId, of));
  return toRedelivery(db, tenantId, webhookId, made);
}

async function makeRetry(
  db: Db,
  tenantId: string,
  webhookId: string,
  of: RetryOf,
): Promise<Waiting | undefined> {
  const { rows } = await sql<Waiting>`
    with webhook as materialized (
      select w.*, ${packOfOne} from webhooks w where w.id = ${webhookId} and w.tenant_id = ${tenantId} and w.is_active
    ),
    wanted as materialized (${idsOf(of)}),
    sooner as (
      update delivery_due d set due_at = least(d.due_at, now()), pack_id = coalesce(d.pack_id, w.pack_id),
        leads_pack = case when d.pack_id is null and w.pack_id is not null then d.id = (select id from wanted order by id limit 1) else d.leads_pack end
      from webhook w
      where d.id = any (array(select id from wanted)) and d.webhook_id = w.id
      returning d.id, d.event_id, case when old.pack_id is null then new.pack_id end as pack_id
    ),
    ended as (
      select uuidv7() as id, d.webhook_id, d.tenant_id, d.event_id, w.pack_id
      from deliveries d join webhook w on w.id = d.webhook_id
      where d.id = any (array(select id from wanted)) and exists (select from events e where e.id = d.event_id)
      order by d.id
    ),
    again as materialized (select *, id = first_value(id) over (order by id) as leads from ended),
    made as (
      insert into delivery_due (id, webhook_id, tenant_id, event_id, due_at, created_at, pack_id, leads_pack)
      select id, webhook_id, tenant_id, event_id, now(), now(), pack_id, case when pack_id is not null and leads and not exists (select from sooner where sooner.pack_id is not null) then true end
      from again
    ),
    packed as (
      insert into delivery_packs (id, webhook_id, tenant_id, delivery_ids)
      select w.pack_id, w.id, w.tenant_id, array_agg(o.id order by o.id)
      from webhook w cross join (select id, pack_id from sooner union all select id, pack_id from again) o
      where o.pack_id = w.pack_id group by w.pack_id, w.id, w.tenant_id
    ),
    asked as (
      select id, event_id from sooner
      union all
      select id, event_id from again
    ),
    probe as (${probeNow(sql`asked`, webhookId)})
    select asked.id as "deliveryId", asked.event_id as "eventId", webhook.lane from asked, webhook
    order by asked.id limit 1`.execute(db);
  return rows[0];
}

/** The deliveries to post again, in SQL: those of the pack, or the one with the pack that it waits in. */
function idsOf(of: RetryOf): RawBuilder<unknown> {
  if ('packId' in of)
    return sql`
      select unnest(delivery_ids) as id from delivery_packs p join webhook w on w.id = p.webhook_id where p.id = ${of.packId}::uuid`;
  return sql`
      select unnest(coalesce((
        select p.delivery_ids from delivery_due d join delivery_packs p on p.id = d.pack_id
        where d.id = ${of.deliveryId}::uuid
      ), array[${of.deliveryId}::uuid])) as id`;
}

/**
 * Ends the wait of a failing webhook whose owner asked for a delivery: its next probe begins at once. A probe in flight
 * stays the only one.
 */
function probeNow(asked: RawBuilder<unknown>, webhookId: string): RawBuilder<unknown> {
  return sql`
    update webhooks set paused_until = null
    where id = ${webhookId} and failure_count >= ${failuresUntilFailing} and exists (select from ${asked})
      and not exists (select from delivery_due where webhook_id = ${webhookId} and claimed_until > now())`;
}

/** The reason that nothing was made: the webhook is disabled, or something is missing. */
async function toRedelivery(
  db: Db,
  tenantId: string,
  webhookId: string,
  made: Waiting | undefined,
): Promise<Redelivery> {
  if (made !== undefined) return { kind: 'waits', ...made };
  return { kind: (await isDisabled(db, tenantId, webhookId)) ? 'disabled' : 'not-found' };
}

async function isDisabled(db: Db, tenantId: string, webhookId: string): Promise<boolean> {
  const webhook = await db
    .selectFrom('webhooks')
    .select('is_active')
    .where('id', '=', webhookId)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return webhook?.is_active === false;
}

/** How many events a replay is going to post. */
export interface Missed {
  readonly events: number;
  /** Whether all events of that time were looked at. Otherwise there may be more. */
  readonly isAll: boolean;
}

/** The result of a request for a replay. `until`: the moment up to which it goes. */
export type Replay =
  | { readonly kind: 'replays'; readonly until: Date; readonly missed: Missed }
  | { readonly kind: 'not-found' | 'disabled' };

/**
 * Begins a replay of every event since `since` that was not delivered to the webhook. `replayBatch` carries it out. A
 * second replay joins the first. The events are counted in `counting`, which may answer late or not at all: the replay begins all the
 * same.
 */
export async function startReplay(
  db: Db,
  counting: Db,
  {
    tenantId,
    webhookId,
    since,
  }: { readonly tenantId: string; readonly webhookId: string; readonly since: Date },
): Promise<Replay> {
  const from = lowestIdAt(since);
  // Before it begins, because what it posts counts as waiting.
  const missed = await countMissed(counting, tenantId, webhookId, from).catch((error: unknown) => {
    if (isDatabaseAway(error)) return { events: 0, isAll: false };
    throw error;
  });
  const { rows } = await sql<{ until: Date }>`
    update webhooks set replay_after = least(replay_after, ${from}::uuid), replay_until = uuidv7()
    where id = ${webhookId} and tenant_id = ${tenantId} and is_active
    returning now() as until`.execute(db);
  if (rows[0] !== undefined) return { kind: 'replays', until: rows[0].until, missed };
  return { kind: (await isDisabled(db, tenantId, webhookId)) ? 'disabled' : 'not-found' };
}

/** Events that are looked at to count what a replay misses. */
const countedAtMost = 10_000;

/** Counts the events from this id on that a replay would post, among the oldest ones. */
async function countMissed(db: Db, tenantId: string, webhookId: string, from: string): Promise<Missed> {
  const { rows } = await sql<Missed>`
    with webhook as (
      select * from webhooks where id = ${webhookId} and tenant_id = ${tenantId} and is_active
    ),
    looked_at as (
      select e.id, ${isWanted('w', 'e')} as is_wanted from webhook w join events e
        on e.tenant_id = w.tenant_id and e.id > least(w.replay_after, ${from}::uuid)
      order by e.id limit ${countedAtMost + 1}
    )
    select count(*) filter (where ${isMissed})::int as events, count(*) <= ${countedAtMost} as "isAll"
    from looked_at l cross join webhook w`.execute(db);
  return rows[0]!;
}

/** Whether an event `l` is wanted by webhook `w`, was not delivered to it, and does not wait. */
const isMissed = sql`l.is_wanted and not exists (
        select from deliveries d where d.event_id = l.id and d.webhook_id = w.id and d.state = 'delivered'
      ) and not exists (select from delivery_due d where d.webhook_id = w.id and d.event_id = l.id)`;

/** Webhooks whose replay can continue: active and not failing. */
export async function replayingWebhooks(db: Db): Promise<{ readonly id: string; readonly lane: Lane }[]> {
  return db
    .selectFrom('webhooks')
    .select(['id', 'lane'])
    .where('replay_after', 'is not', null)
    .where('is_active', '=', true)
    .where('failure_count', '<', failuresUntilFailing)
    .execute();
}

/** Events that one batch of a replay reads. */
const batch = 1_000;

/** With this many deliveries waiting, a replay waits too, so that new events do not queue behind old ones. */
const enoughWaiting = 1_000;

/**
 * Continues the replay of a webhook. Of the next events, it makes a delivery for each one that the webhook wants
 * now, unless that event was delivered or waits. Returns how many deliveries it made.
 */
export async function replayBatch(db: Db, webhookId: string): Promise<number> {
  return transact(db, async (trx, commit) => {
    // By itself, because a statement that locks must not choose among partitions (docs/decisions/0012-write-path.md).
    const locked = await sql`
      select from webhooks
      where id = ${webhookId} and replay_after is not null and is_active and (
        select count(*) from (select from delivery_due where webhook_id = ${webhookId} limit ${enoughWaiting})
      ) < ${enoughWaiting}
      for no key update skip locked`.execute(trx);
    return locked.rows.length === 0 ? 0 : await commit(makeDeliveries(trx, webhookId));
  });
}

/** The next batch of a replay, of a locked webhook. */
async function makeDeliveries(trx: Statements, webhookId: string): Promise<number> {
  const { rows } = await sql<{ made: number }>`
    with webhook as (select * from webhooks where id = ${webhookId}),
    looked_at as (
      select e.id, ${isWanted('w', 'e')} as is_wanted from webhook w join events e
        on e.tenant_id = w.tenant_id and e.id > w.replay_after and e.id <= w.replay_until
      order by e.id limit ${batch}
    ),
    posted as (
      insert into delivery_due (id, webhook_id, tenant_id, event_id, due_at, created_at)
      select uuidv7(), w.id, w.tenant_id, l.id, now(), now()
      from looked_at l cross join webhook w
      where ${isMissed}
      order by l.id
      returning id
    ),
    went_on as (
      update webhooks w set
        replay_after = case when reached.count = ${batch} then reached.last end,
        replay_until = case when reached.count = ${batch} then w.replay_until end
      from webhook, (
        select count(*) as count, (array_agg(id order by id desc))[1] as last from looked_at
      ) reached
      where w.id = webhook.id
    )
    select count(*)::int as made from posted`.execute(trx);
  return rows[0]?.made ?? 0;
}
