import { highestId } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import type { DeliveryState } from '../schema/tables.ts';
import { inOrder } from './pack-body.ts';
import { dueAt } from './packing.ts';

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
  /** Whether the pack was posted. Otherwise the delivery was posted alone, before its webhook took packs. */
  readonly ofPack: boolean;
}

/** The pack of a delivery. */
export interface DeliveryPackRow {
  readonly id: string;
  /** How many events it has. */
  readonly events: number;
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
  /** The pack that it is posted in. Null if it is posted alone, or not packed yet. */
  readonly pack: DeliveryPackRow | null;
  /** Its own, and those of its pack. */
  readonly attempts: readonly DeliveryAttemptRow[];
}

export interface DeliveryQuery {
  readonly tenantId: string;
  readonly webhookId: string;
  /** Undefined matches all states. */
  readonly state?: DeliveryState | undefined;
  /** Only deliveries that had an attempt, none of which succeeded. */
  readonly failedSoFar?: boolean | undefined;
  /** Only this delivery, also one that another stands for. */
  readonly id?: string | undefined;
  /** Only deliveries older than this one. */
  readonly before?: string | undefined;
  readonly limit: number;
}

type Found = Omit<DeliveryRow, 'attempts' | 'pack'> & {
  readonly packId: string | null;
  readonly packEvents: number | null;
  readonly attempts: readonly (Omit<DeliveryAttemptRow, 'beganAt'> & { readonly beganAt: string })[] | null;
};

/** Deliveries of a webhook with their attempts, newest first. Includes waiting and ended ones. The first of a pack stands for it. */
export async function listDeliveries(db: Db, query: DeliveryQuery): Promise<DeliveryRow[]> {
  const { tenantId, webhookId, state = null, failedSoFar = false, id, before = highestId, limit } = query;
  const { rows } = await sql<Found>`
    with waiting as (
      select d.id, d.event_id, 'waiting' as state, null as reason,
        greatest(${dueAt}, w.paused_until) as next_attempt_at, d.created_at, null::timestamptz as ended_at, d.pack_id
      from delivery_due d join webhooks w on w.id = d.webhook_id
      where d.webhook_id = ${webhookId} and d.tenant_id = ${tenantId}
        and coalesce(${state}::text, 'waiting') = 'waiting' and d.id < ${before}::uuid
        and ${failedSoFar ? sql`d.attempts > 0` : sql`true`} and ${isLine(sql`d`, id)}
      order by d.id desc limit ${limit}
    ),
    ended as (
      select id, event_id, state, reason, null::timestamptz as next_attempt_at, created_at, ended_at, pack_id
      from deliveries
      where webhook_id = ${webhookId} and tenant_id = ${tenantId} and id < ${before}::uuid and ${isIn(state)}
        and ${failedSoFar ? sql`attempts > 0 and state <> 'delivered'` : sql`true`} and ${isLine(sql`deliveries`, id)}
      order by id desc limit ${limit}
    ),
    page as (select * from (select * from waiting union all select * from ended) as either order by id desc limit ${limit})
    select p.id, p.event_id as "eventId", e.event, e.message_id as "messageId", p.state, p.reason,
      (select coalesce(m.sender, m.recipient) from messages m where m.id = e.message_id) as recipient,
      p.next_attempt_at as "nextAttemptAt", p.created_at as "createdAt", p.ended_at as "endedAt",
      p.pack_id as "packId", (select cardinality(delivery_ids) from delivery_packs where id = p.pack_id) as "packEvents",
      (
        select json_agg(json_build_object('number', a.number, 'status', a.status, 'error', a.error,
          'answer', a.answer, 'durationMs', a.duration_ms, 'beganAt', a.began_at, 'ofPack', a.delivery_id <> p.id) order by a.id)
        from delivery_attempts a where a.delivery_id = any (array[p.id, p.pack_id])
      ) as attempts
    from page p left join events e on e.id = p.event_id
    order by p.id desc`.execute(db);
  return rows.map(({ attempts, packId, packEvents, ...row }) => ({
    ...row,
    pack: packId === null ? null : { id: packId, events: packEvents ?? 1 },
    attempts: (attempts ?? []).map((one) => ({ ...one, beganAt: new Date(one.beganAt) })),
  }));
}

/** One delivery, or every one that is posted alone or stands for its pack. */
function isLine(table: RawBuilder<unknown>, id: string | undefined): RawBuilder<unknown> {
  if (id !== undefined) return sql`${table}.id = ${id}::uuid`;
  return sql`(${table}.pack_id is null or ${table}.leads_pack)`;
}

/** A constant in the text, because failed deliveries are few and have their own index. */
function isIn(state: DeliveryState | null): RawBuilder<unknown> {
  if (state === null) return sql`true`;
  return state === 'waiting' ? sql`false` : sql`state = ${sql.lit(state)}`;
}

/** An event of a pack, in the order in which it is posted. */
export interface PackEventRow {
  readonly deliveryId: string;
  readonly eventId: string;
  /** Null when the event is no longer kept. So are the fields below. */
  readonly event: string | null;
  readonly messageId: string | null;
  readonly recipient: string | null;
  readonly sequence: number | null;
  readonly body: string | null;
}

/** The first delivery of a pack, which stands for it. Null if the tenant's webhook has no such pack. */
export async function firstOfPack(
  db: Db,
  tenantId: string,
  webhookId: string,
  packId: string,
): Promise<string | null> {
  const pack = await db
    .selectFrom('delivery_packs')
    .select('delivery_ids')
    .where('id', '=', packId)
    .where('webhook_id', '=', webhookId)
    .where('tenant_id', '=', tenantId)
    .executeTakeFirst();
  return pack?.delivery_ids[0] ?? null;
}

/** The events of a pack of this webhook, in its order. Empty if the tenant's webhook has no such pack. */
export async function packEvents(
  db: Db,
  tenantId: string,
  webhookId: string,
  packId: string,
): Promise<PackEventRow[]> {
  const { rows } = await sql<PackEventRow>`
    with ids as materialized (
      select unnest(delivery_ids) as id from delivery_packs
      where id = ${packId}::uuid and webhook_id = ${webhookId} and tenant_id = ${tenantId}
    ),
    of_pack as materialized (
      select id, event_id from delivery_due where id = any (array(select id from ids))
      union
      select id, event_id from deliveries where id = any (array(select id from ids))
    )
    select d.id as "deliveryId", d.event_id as "eventId", e.event, e.message_id as "messageId", e.sequence, e.body,
      (select coalesce(m.sender, m.recipient) from messages m where m.id = e.message_id) as recipient
    from of_pack d left join events e on e.id = d.event_id`.execute(db);
  return inOrder(rows);
}
