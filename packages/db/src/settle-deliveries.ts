import { afterAttempt, type Random, scrub, type WebhookAttempt } from '@notify/core';
import { sql } from 'kysely';
import type { Db, Trx } from './connect.ts';
import { lockHealth, writeHealth } from './webhook-health.ts';

/** What becomes of a delivery after an attempt: it is done, it is tried again, or its schedule is used up. */
export type DeliveryDecision =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'retry'; readonly afterMs: number }
  | { readonly kind: 'failed' };

/** The end of one attempt to deliver, and what was decided from it. */
export interface DeliverySettlement {
  readonly deliveryId: string;
  readonly webhookId: string;
  readonly holder: string;
  /** The webhook's generation as it was read at the claim. */
  readonly generation: number;
  /** Whether it was the one probe of a failing webhook. */
  readonly probe: boolean;
  /** Which attempt of the delivery this was, from 1. */
  readonly number: number;
  /** When it began, by the database's clock. */
  readonly beganAt: Date;
  readonly durationMs: number;
  /** The answer's status, or null when none came. */
  readonly status: number | null;
  /** What prevented an answer, as a class; null when one came. */
  readonly error: string | null;
  /** The beginning of the answer's body. */
  readonly answer: string | null;
  /** How long the receiver wished to be left alone, in ms; 0 where it did not say. */
  readonly retryAfterMs: number;
  readonly decision: DeliveryDecision;
}

/**
 * Settles attempts in one transaction, in the order given: ended deliveries move to `deliveries`, the others get their
 * next time, every attempt is recorded, and each webhook's health is written once. A success ends its delivery
 * whoever holds the lease by now; anything else moves it only while the lease is held. Attempts of an earlier
 * generation of the webhook change nothing of its health. `random` spreads the waits between probes.
 */
export async function settleDeliveries(
  db: Db,
  settlements: readonly DeliverySettlement[],
  random: Random = Math.random,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const holders = await lockDue(trx, settlements);
    const isMine = (one: DeliverySettlement) => holders.get(one.deliveryId) === one.holder;
    const ended = settlements.filter(
      (one) => one.decision.kind === 'delivered' || (one.decision.kind === 'failed' && isMine(one)),
    );
    await moveEnded(trx, ended);
    await markLateSuccesses(
      trx,
      ended.filter((one) => !holders.has(one.deliveryId)),
    );
    await moveRetried(trx, settlements.filter(isMine));
    await insertAttempts(trx, settlements);
    await updateWebhooks(trx, settlements, random);
  });
}

async function lockDue(
  trx: Db,
  settlements: readonly DeliverySettlement[],
): Promise<Map<string, string | null>> {
  const { rows } = await sql<{ id: string; claimed_by: string | null }>`
    select id, claimed_by from delivery_due
    where id = any (${settlements.map((one) => one.deliveryId)}::uuid[]) order by id for update`.execute(trx);
  return new Map(rows.map((row) => [row.id, row.claimed_by]));
}

async function moveEnded(trx: Db, ended: readonly DeliverySettlement[]): Promise<void> {
  if (ended.length === 0) return;
  await sql`
    with gone as (
      delete from delivery_due d
      using unnest(
        ${ended.map((one) => one.deliveryId)}::uuid[], ${ended.map((one) => one.decision.kind)}::text[],
        ${ended.map((one) => one.number)}::int[]
      ) as e(id, state, number)
      where d.id = e.id and d.id = any (${ended.map((one) => one.deliveryId)}::uuid[])
      returning d.*, e.state, e.number
    )
    insert into deliveries (id, webhook_id, tenant_id, event_id, state, reason, attempts, created_at, ended_at)
    select id, webhook_id, tenant_id, event_id, state, case state when 'failed' then 'attempts-exhausted' end, number,
      created_at, now()
    from gone order by id`.execute(trx);
}

/** A delivery that was skipped or given up while its attempt ran, and that arrived all the same. */
async function markLateSuccesses(trx: Db, late: readonly DeliverySettlement[]): Promise<void> {
  if (late.length === 0) return;
  await sql`
    update deliveries d set state = 'delivered', reason = null, attempts = greatest(d.attempts, l.number), ended_at = now()
    from unnest(${late.map((one) => one.deliveryId)}::uuid[], ${late.map((one) => one.number)}::int[]) as l(id, number)
    where d.id = l.id and d.id = any (${late.map((one) => one.deliveryId)}::uuid[]) and d.state <> 'delivered'`.execute(
    trx,
  );
}

async function moveRetried(trx: Db, mine: readonly DeliverySettlement[]): Promise<void> {
  const retried = mine.flatMap(({ deliveryId, number, decision }) =>
    decision.kind === 'retry' ? [{ deliveryId, number, afterMs: decision.afterMs }] : [],
  );
  if (retried.length === 0) return;
  await sql`
    update delivery_due d set
      claimed_by = null, claimed_until = null, attempts = r.number,
      due_at = now() + make_interval(secs => r.after_ms / 1000)
    from unnest(
      ${retried.map((one) => one.deliveryId)}::uuid[], ${retried.map((one) => one.number)}::int[],
      ${retried.map((one) => one.afterMs)}::float8[]
    ) as r(id, number, after_ms)
    where d.id = r.id and d.id = any (${retried.map((one) => one.deliveryId)}::uuid[])`.execute(trx);
}

async function insertAttempts(trx: Db, settlements: readonly DeliverySettlement[]): Promise<void> {
  const column = <T>(read: (one: DeliverySettlement) => T): T[] => settlements.map(read);
  await sql`
    insert into delivery_attempts
      (delivery_id, webhook_id, number, status, error, answer, duration_ms, began_at)
    select * from unnest(
      ${column((one) => one.deliveryId)}::uuid[], ${column((one) => one.webhookId)}::uuid[],
      ${column((one) => one.number)}::int[], ${column((one) => one.status)}::smallint[],
      ${column((one) => one.error)}::text[],
      ${column((one) => (one.answer === null ? null : scrub(one.answer)))}::text[],
      ${column((one) => Math.round(one.durationMs))}::int[], ${column((one) => one.beganAt.toISOString())}::timestamptz[]
    )`.execute(trx);
}

/** Applies the attempts, in their order, to the webhooks that are still there; each row is written once. */
async function updateWebhooks(
  trx: Trx,
  settlements: readonly DeliverySettlement[],
  random: Random,
): Promise<void> {
  const byWebhook = Map.groupBy(settlements, (one) => one.webhookId);
  const locked = await lockHealth(trx, [...byWebhook.keys()]);
  const updates = [...locked].flatMap(([id, { health, nowMs }]) => {
    const attempts = byWebhook.get(id) ?? [];
    // Only what belongs to the generation that was found: an attempt that disables it ends that generation.
    const counted = attempts.filter((one) => one.generation === health.generation);
    if (counted.length === 0) return [];
    const after = counted.reduce((now, one) => afterAttempt(now, toAttempt(one), nowMs, random), health);
    return [{ id, health: after, lastTriggeredAt: latest(counted) }];
  });
  await writeHealth(trx, updates);
}

function toAttempt(one: DeliverySettlement): WebhookAttempt {
  const { generation, probe, durationMs, retryAfterMs } = one;
  return {
    generation,
    result: resultOf(one),
    probe,
    beganAtMs: one.beganAt.getTime(),
    durationMs,
    retryAfterMs,
  };
}

function resultOf({ decision, status }: DeliverySettlement): WebhookAttempt['result'] {
  if (decision.kind === 'delivered') return 'success';
  return status === 410 ? 'gone' : 'failure';
}

function latest(attempts: readonly DeliverySettlement[]): Date {
  return new Date(Math.max(...attempts.map((one) => one.beganAt.getTime())));
}
