import { mostAtOnce, scrub, slowAnswerMs } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { int, smallint, text, timestamptz, unnestRows, uuid } from '../connection/rows.ts';
import { triggeredWithinMs } from './health.ts';
import type { DeliverySettlement } from './settle.ts';

export interface SettledDelivered {
  /** The ids of the deliveries that were settled. */
  readonly deliveryIds: ReadonlySet<string>;
  /** How many of them had lost their lease. */
  readonly lost: number;
}

/** Whether `settleDelivered` may settle it: a success of a single event that came in time. Most attempts end like this. */
export function isPlainDelivery({ decision, probe, durationMs, pack }: DeliverySettlement): boolean {
  return pack === undefined && decision.kind === 'delivered' && !probe && durationMs < slowAnswerMs;
}

/**
 * Settles successes of healthy webhooks in one statement, without locks of the webhooks: a success changes nothing of a
 * webhook that has no failures and all its posts in flight. Leaves out those of other webhooks, and those that no longer
 * wait. `settleDeliveries` settles those.
 */
export async function settleDelivered(
  db: Db,
  settlements: readonly DeliverySettlement[],
): Promise<SettledDelivered> {
  const ids = settlements.map((one) => one.deliveryId);
  const webhooks = [...new Set(settlements.map((one) => one.webhookId))];
  const ended = unnestRows('s', settlements, {
    id: uuid((one) => one.deliveryId),
    webhook_id: uuid((one) => one.webhookId),
    generation: int((one) => one.generation),
    number: int((one) => one.number),
    status: smallint((one) => one.status),
    answer: text((one) => (one.answer === null ? null : scrub(one.answer))),
    duration_ms: int((one) => Math.round(one.durationMs)),
    began_at: timestamptz((one) => one.beganAt),
  });
  const { rows } = await sql<{ id: string; claimed_by: string | null }>`
    with held as materialized (
      select d.id, d.claimed_by, d.webhook_id, d.tenant_id, d.event_id, d.created_at, s.number, s.status, s.answer, s.duration_ms,
        s.began_at
      from ${ended}
      join delivery_due d on d.id = s.id and d.webhook_id = s.webhook_id and d.id = any (${ids}::uuid[])
      join webhooks w on w.id = s.webhook_id and w.id = any (${webhooks}::uuid[]) and w.generation = s.generation
      where w.failure_count = 0 and w.at_once = ${mostAtOnce} and w.lane = 'fast' and w.paused_until is null
      order by d.id for update of d
    ),
    gone as (delete from delivery_due where id = any (array(select id from held))),
    moved as (
      insert into deliveries (id, webhook_id, tenant_id, event_id, state, attempts, created_at, ended_at)
      select id, webhook_id, tenant_id, event_id, 'delivered', number, created_at, now() from held
    ),
    recorded as (
      insert into delivery_attempts (delivery_id, webhook_id, number, status, answer, duration_ms, began_at)
      select id, webhook_id, number, status, answer, duration_ms, began_at from held
    ),
    latest as (select webhook_id, max(began_at) as began_at from held group by webhook_id),
    overdue as (
      select w.id, l.began_at from latest l join webhooks w on w.id = l.webhook_id and w.id = any (${webhooks}::uuid[])
      where coalesce(w.last_triggered_at <= l.began_at - make_interval(secs => ${triggeredWithinMs / 1_000}::float8), true)
      order by w.id for no key update of w skip locked
    ),
    triggered as (
      update webhooks w set last_triggered_at = o.began_at from overdue o
      where w.id = o.id and w.id = any (${webhooks}::uuid[])
    )
    select id, claimed_by from held`.execute(db);
  const holders = new Map(settlements.map((one) => [one.deliveryId, one.holder]));
  return {
    deliveryIds: new Set(rows.map((row) => row.id)),
    lost: rows.filter((row) => row.claimed_by !== holders.get(row.id)).length,
  };
}
