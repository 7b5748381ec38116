import { type RawBuilder, sql } from 'kysely';
import { isWanted } from './wanted-events.ts';

/** Which further columns some of the messages have a value in. */
export interface MoreOfMessages {
  readonly traced?: boolean;
  readonly grouped?: boolean;
  readonly labelled?: boolean;
}

/**
 * Stores events of status changes and their deliveries, as `insertBodies` does.
 *
 * `source` selects one row for each event: `event_id`, `event`, `sequence`, `tenant_id`, `message_id`, `account_id`,
 * `channel`, `recipient`, `type`, `status`, `external_id`, `error`, `error_code` and `possible_duplicate`. If it is
 * `traced`, it also selects `traceparent`. Otherwise that column may be missing, as before an update. If some are `grouped`, it also
 * selects `group_id`. If some are `labelled`, it also selects `metadata` and `tags`.
 */
export function insertEvents(
  source: RawBuilder<unknown>,
  { traced = false, grouped = false, labelled = false }: MoreOfMessages,
): RawBuilder<unknown> {
  const more = sql`${traced ? sql`, traceparent` : sql``}${labelled ? sql`, tags` : sql``}`;
  const told = grouped ? bodyOfGroup : body;
  return insertBodies(
    sql`
      select event_id, event, sequence, tenant_id, message_id,
        ${labelled ? withLabels(told) : told} as body${more}
      from (${source}) source`,
    more,
  );
}

const body = sql`event_body(event_id, event, sequence, now(), message_id, tenant_id, account_id, channel, recipient, type,
          status, external_id, error, error_code, possible_duplicate)`;
const bodyOfGroup = sql`body_in_group(${body}, group_id)`;

/** A body with the labels of its message, in SQL. */
export function withLabels(told: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`body_with_labels(${told}, metadata, tags)`;
}

/** Added once for each change after the clock was set back: the version before makes an id up to this much after `updated_at`. */
const afterOlderId = sql`interval '5 seconds'`;

/**
 * The new `updated_at` of a message or group, in SQL: now, but never before `updatedAt`, the one before, even if the clock has been
 * set back since then. Whoever writes `updated_at` keeps to that, because `idInOrder` depends on it.
 */
export function laterThan(updatedAt: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`greatest(clock_timestamp(),
          ${updatedAt} + case when clock_timestamp() < ${updatedAt} then ${afterOlderId} else interval '0' end)`;
}

/**
 * The id of an event of a message or group, in SQL. Its time is `updatedAt`, as the same transaction has written it, and 1 ms more
 * for each `sequence` after the first. `updated_at` never goes back, so the ids are in the order of `sequence`, whatever the clock does,
 * and readers get events in that order. The first event of a message sets `updated_at` by its id instead.
 */
export function idInOrder(
  updatedAt: RawBuilder<unknown>,
  sequence: RawBuilder<unknown>,
): RawBuilder<unknown> {
  const ms = sql`floor(extract(epoch from ${updatedAt}) * 1000)::bigint + ${sequence} - 1`;
  // RFC 9562, 5.7: the first 48 bits are the time in ms.
  return sql`(lpad(to_hex(${ms}), 12, '0') || substr(uuidv7()::text, 15))::uuid`;
}

/**
 * Stores events whose bodies the caller builds, and for each one a delivery to every active webhook of its tenant that
 * wants it, in SQL: the common table expressions `new_events` and `new_deliveries`. All events are stored here. A
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
      returning id, tenant_id, event, body
    ),
    new_deliveries as (
      insert into delivery_due (id, webhook_id, tenant_id, event_id, due_at, created_at)
      select uuidv7(), w.id, e.tenant_id, e.id, now(), now()
      from new_events e cross join lateral (
        select id from webhooks where tenant_id = e.tenant_id and is_active and ${isWanted('webhooks', 'e')} offset 0
      ) w
      returning webhook_id
    )`;
}

/** The webhooks that got a delivery from `insertBodies` and are not paused, with their lanes, in SQL. */
export const webhooksToWake = sql`
    select w.id, w.lane from webhooks w
    where w.id = any (array(select webhook_id from new_deliveries)) and coalesce(w.paused_until <= now(), true)`;
