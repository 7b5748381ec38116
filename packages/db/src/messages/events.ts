import type { EventName } from '@notify/core';
import { lowestIdAt } from '@notify/core';
import { sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';
import { readInOrder } from '../connection/read-in-order.ts';
import { text, unnestRows, uuid } from '../connection/rows.ts';
import type { DeliveryState } from '../schema/tables.ts';

/** The events of messages. */
export type ToldEvent = EventName | 'message.received';

/** A step of a message, as webhooks receive it. */
export interface MessageEventRow {
  readonly id: string;
  readonly event: ToldEvent;
  readonly sequence: number;
  readonly occurredAt: Date;
}

/** An event on its way to a webhook, with the last attempt at it. */
export interface EventDelivery {
  readonly id: string;
  readonly webhookId: string;
  /** Null when the webhook was removed. */
  readonly url: string | null;
  readonly eventId: string;
  readonly event: ToldEvent;
  readonly state: DeliveryState;
  readonly reason: 'attempts-exhausted' | 'expired' | null;
  readonly attempts: number;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly nextAttemptAt: Date | null;
  readonly lastAttempt: {
    /** ISO 8601. */
    readonly beganAt: string;
    readonly status: number | null;
    readonly error: string | null;
    readonly durationMs: number;
  } | null;
}

/** The event to find, and the time in which its id was made. */
export interface Telling {
  readonly event: ToldEvent;
  readonly from: Date;
  readonly until: Date;
}

/** The most events of the tenant that are read to find one event. */
const mostLookedAt = 20_000;
/** How far the clock may have been set back meanwhile, in ms. */
const clockSlackMs = 100;

/**
 * The events of a message. Events have no index by message, because every send would pay for it. An event's id holds
 * the time at which it was written, so each one is found among the tenant's events of that time.
 */
export async function readEvents(
  db: Db,
  message: { readonly id: string; readonly tenant_id: string },
  tellings: readonly Telling[],
): Promise<MessageEventRow[]> {
  const idAt = (at: Date, afterMs: number): string => lowestIdAt(new Date(at.getTime() + afterMs));
  const told = unnestRows('told', tellings, {
    event: text(({ event }) => event),
    from_id: uuid(({ from }) => idAt(from, -clockSlackMs)),
    until_id: uuid(({ until }) => idAt(until, 0)),
  });
  return inTransaction(db, async (trx) => {
    await readInOrder(trx);
    const { rows } = await sql<MessageEventRow>`
      select e.id, e.event, e.sequence, e.occurred_at as "occurredAt"
      from ${told}
      cross join lateral (
        select * from (
          select id, event, sequence, occurred_at, message_id from events
          where tenant_id = ${message.tenant_id}::uuid and id >= told.from_id and id < told.until_id
          order by id limit ${mostLookedAt}
        ) near
        where message_id = ${message.id}::uuid and event = told.event limit 1
      ) e`.execute(trx);
    return rows.toSorted((a, b) => a.sequence - b.sequence);
  });
}

/** In the transaction that the caller has, else in one of its own. */
function inTransaction<Result>(db: Db, run: (trx: Trx) => Promise<Result>): Promise<Result> {
  return db.isTransaction ? run(db as Trx) : db.transaction().execute(run);
}

/** The most time between an event and the ids of the deliveries made with it, in ms. */
const madeWithinMs = 5_000;
/** The most waiting deliveries read per webhook, soonest first, to find those made by a retry or a replay. */
const lookedAt = 2_000;

/**
 * The newest deliveries of these events, ended or waiting. Waiting deliveries have no index by event either: a delivery
 * made with its event is found by the event's time, a later one among the first that wait for each webhook.
 */
export async function readDeliveries(
  db: Db,
  tenantId: string,
  events: readonly MessageEventRow[],
  atMost: number,
): Promise<EventDelivery[]> {
  if (events.length === 0) return [];
  const ids = events.map(({ id }) => id);
  const waiting = sql`d.id, d.webhook_id, d.event_id, d.attempts, d.created_at, d.due_at, d.pack_id`;
  const told = unnestRows('t', events, {
    event_id: uuid(({ id }) => id),
    event: text(({ event }) => event),
    from_id: uuid(({ occurredAt }) => lowestIdAt(new Date(occurredAt.getTime() - clockSlackMs))),
    until_id: uuid(({ occurredAt }) => lowestIdAt(new Date(occurredAt.getTime() + madeWithinMs))),
  });
  const { rows } = await sql<EventDelivery>`
    with told as (select * from ${told}),
    waiting as (
      select ${waiting} from told t cross join lateral (
        select * from delivery_due
        where id >= t.from_id and id < t.until_id and event_id = t.event_id and tenant_id = ${tenantId}::uuid
      ) d
      union
      select ${waiting} from webhooks w cross join lateral (
        select * from (
          select * from delivery_due where webhook_id = w.id order by due_at limit ${lookedAt}
        ) soonest where event_id = any (${ids}::uuid[])
      ) d where w.tenant_id = ${tenantId}::uuid
    ),
    found as (
      select id, webhook_id, event_id, 'waiting' as state, null as reason, attempts, created_at, due_at,
        null::timestamptz as ended_at, pack_id
      from waiting
      union all
      select id, webhook_id, event_id, state, reason, attempts, created_at, null, ended_at, pack_id
      from deliveries where event_id = any (${ids}::uuid[]) and tenant_id = ${tenantId}::uuid
    ),
    newest as (select * from found order by id desc limit ${atMost})
    select d.id, d.webhook_id as "webhookId", w.url, d.event_id as "eventId", t.event, d.state, d.reason, d.attempts,
      d.created_at as "createdAt", d.ended_at as "endedAt",
      case when d.due_at is not null then greatest(d.due_at, w.paused_until) end as "nextAttemptAt",
      (
        select json_build_object('beganAt', a.began_at, 'status', a.status, 'error', a.error,
          'durationMs', a.duration_ms)
        from delivery_attempts a where a.delivery_id = any (array[d.id, d.pack_id]) order by a.id desc limit 1
      ) as "lastAttempt"
    from newest d join told t using (event_id)
    left join webhooks w on w.id = d.webhook_id and w.tenant_id = ${tenantId}::uuid
    order by d.id`.execute(db);
  return rows;
}
