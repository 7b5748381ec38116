import { type RawBuilder, sql } from 'kysely';

/**
 * Stores events of status changes and their deliveries, as `insertBodies` does.
 *
 * `source` selects one row for each event: `event_id`, `event`, `sequence`, `tenant_id`, `message_id`, `account_id`,
 * `channel`, `recipient`, `type`, `status`, `external_id`, `error`, `error_code` and `possible_duplicate`. If it is
 * `traced`, it also selects `traceparent`. Otherwise that column may be missing, as before an update. If some are `grouped`, it also
 * selects `group_id`.
 */
export function insertEvents(
  source: RawBuilder<unknown>,
  traced = false,
  grouped = false,
): RawBuilder<unknown> {
  const traceparent = traced ? sql`, traceparent` : sql``;
  return insertBodies(
    sql`
      select event_id, event, sequence, tenant_id, message_id,
        ${grouped ? bodyOfGroup : body} as body${traceparent}
      from (${source}) source`,
    traceparent,
  );
}

const body = sql`event_body(event_id, event, sequence, now(), message_id, tenant_id, account_id, channel, recipient, type,
          status, external_id, error, error_code, possible_duplicate)`;
const bodyOfGroup = sql`body_in_group(${body}, group_id)`;

/**
 * The id of an event of a message or group, in SQL: `id`, or a later one if the clock has been set back since `latestStep`, the time
 * of its latest step. Readers get events in id order, and so those of one message in the order of `sequence`. An id is made
 * up to 5 s after the time of its step, so each of them is 5 s after the one before.
 */
export function idInOrder(
  id: RawBuilder<unknown>,
  latestStep: RawBuilder<unknown>,
  sequence: RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql`case when ${latestStep} > now()
          then uuidv7(${latestStep} - now() + ${sequence} * interval '5 seconds') else ${id} end`;
}

/**
 * Stores events whose bodies the caller builds, and for each one a delivery to every active webhook of its tenant that is
 * subscribed to it, in SQL: the common table expressions `new_events` and `new_deliveries`. All events are stored here. A
 * test of a webhook, a retry and a replay make their own deliveries (`webhooks/redeliver.ts`).
 *
 * `source` selects one row for each event: `event_id`, `event`, `sequence`, `tenant_id`, `message_id` and `body`. Events
 * are read in id order, so `source` must draw the ids before any join, which keeps no order. `more` names further columns
 * of both, each after a comma.
 */
export function insertBodies(source: RawBuilder<unknown>, more = sql``): RawBuilder<unknown> {
  return sql`new_events as (
      insert into events (id, tenant_id, message_id, event, sequence, body, occurred_at${more})
      select event_id, tenant_id, message_id, event, sequence, body, now()${more} from (${source}) told
      returning id, tenant_id, event
    ),
    new_deliveries as (
      insert into delivery_due (id, webhook_id, tenant_id, event_id, due_at, created_at)
      select uuidv7(), w.id, e.tenant_id, e.id, now(), now()
      from new_events e cross join lateral (
        select id from webhooks where tenant_id = e.tenant_id and is_active and e.event = any (events) offset 0
      ) w
      returning webhook_id
    )`;
}

/** The webhooks that got a delivery from `insertBodies` and are not paused, with their lanes, in SQL. */
export const webhooksToWake = sql`
    select w.id, w.lane from webhooks w
    where w.id = any (array(select webhook_id from new_deliveries)) and coalesce(w.paused_until <= now(), true)`;
