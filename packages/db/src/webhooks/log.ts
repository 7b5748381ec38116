import { highestId } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { DeliveryState } from '../schema/tables.ts';

/** One ended post of a delivery. */
export interface DeliveryAttemptRow {
  readonly number: number;
  /** The status of the response, or null without a response. */
  readonly status: number | null;
  /** The class of the error that prevented a response. */
  readonly error: string | null;
  /** The beginning of the response body. */
  readonly answer: string | null;
  readonly durationMs: number;
  readonly beganAt: Date;
}

export interface DeliveryRow {
  readonly id: string;
  readonly eventId: string;
  /** Null when the event is no longer kept. */
  readonly event: string | null;
  readonly messageId: string | null;
  /** The recipient of the message; of a received one, its sender. Null without a message. */
  readonly recipient: string | null;
  readonly state: DeliveryState;
  readonly reason: 'attempts-exhausted' | 'expired' | null;
  /** When a waiting delivery is due. */
  readonly nextAttemptAt: Date | null;
  readonly createdAt: Date;
  readonly endedAt: Date | null;
  readonly attempts: readonly DeliveryAttemptRow[];
}

export interface DeliveryQuery {
  readonly tenantId: string;
  readonly webhookId: string;
  /** Undefined matches all states. */
  readonly state?: DeliveryState | undefined;
  /** Only deliveries that had an attempt, none of which succeeded. */
  readonly failedSoFar?: boolean | undefined;
  /** Only this delivery. */
  readonly id?: string | undefined;
  /** Only deliveries older than this one. */
  readonly before?: string | undefined;
  readonly limit: number;
}

type Found = Omit<DeliveryRow, 'attempts'> & {
  readonly attempts: readonly (Omit<DeliveryAttemptRow, 'beganAt'> & { readonly beganAt: string })[] | null;
};

/** Deliveries of a webhook with their attempts, newest first. Includes waiting and ended ones. */
export async function listDeliveries(db: Db, query: DeliveryQuery): Promise<DeliveryRow[]> {
  const { tenantId, webhookId, state = null, failedSoFar = false, id, before = highestId, limit } = query;
  const { rows } = await sql<Found>`
    with waiting as (
      select d.id, d.event_id, 'waiting' as state, null as reason,
        greatest(d.due_at, w.paused_until) as next_attempt_at, d.created_at, null::timestamptz as ended_at
      from delivery_due d join webhooks w on w.id = d.webhook_id
      where d.webhook_id = ${webhookId} and d.tenant_id = ${tenantId}
        and coalesce(${state}::text, 'waiting') = 'waiting' and d.id < ${before}::uuid
        and ${failedSoFar ? sql`d.attempts > 0` : sql`true`} and ${isOne(sql`d.id`, id)}
      order by d.id desc limit ${limit}
    ),
    ended as (
      select id, event_id, state, reason, null::timestamptz as next_attempt_at, created_at, ended_at
      from deliveries
      where webhook_id = ${webhookId} and tenant_id = ${tenantId} and id < ${before}::uuid and ${isIn(state)}
        and ${failedSoFar ? sql`attempts > 0 and state <> 'delivered'` : sql`true`} and ${isOne(sql`id`, id)}
      order by id desc limit ${limit}
    ),
    page as (select * from (select * from waiting union all select * from ended) as either order by id desc limit ${limit})
    select p.id, p.event_id as "eventId", e.event, e.message_id as "messageId", p.state, p.reason,
      (select coalesce(m.sender, m.recipient) from messages m where m.id = e.message_id) as recipient,
      p.next_attempt_at as "nextAttemptAt", p.created_at as "createdAt", p.ended_at as "endedAt",
      (
        select json_agg(json_build_object('number', a.number, 'status', a.status, 'error', a.error,
          'answer', a.answer, 'durationMs', a.duration_ms, 'beganAt', a.began_at) order by a.id)
        from delivery_attempts a where a.delivery_id = p.id
      ) as attempts
    from page p left join events e on e.id = p.event_id
    order by p.id desc`.execute(db);
  return rows.map(({ attempts, ...row }) => ({
    ...row,
    attempts: (attempts ?? []).map((one) => ({ ...one, beganAt: new Date(one.beganAt) })),
  }));
}

function isOne(column: RawBuilder<unknown>, id: string | undefined): RawBuilder<unknown> {
  return id === undefined ? sql`true` : sql`${column} = ${id}::uuid`;
}

/** A constant in the text, because failed deliveries are few and have their own index. */
function isIn(state: DeliveryState | null): RawBuilder<unknown> {
  if (state === null) return sql`true`;
  return state === 'waiting' ? sql`false` : sql`state = ${sql.lit(state)}`;
}
