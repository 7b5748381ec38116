import { scrub } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from './connect.ts';

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
  readonly decision: DeliveryDecision;
}

/** Answers that take this long on average, in ms, put a webhook into the slow lane; faster successes take it out again. */
const slowAnswerMs = 2_000;

/**
 * Settles attempts in one transaction, in the order given: ended deliveries move to `deliveries`, the others get their
 * next time, every attempt is recorded, and each webhook's counters are written once. A success ends its delivery
 * whoever holds the lease by now; anything else moves it only while the lease is held. Attempts of an earlier
 * generation of the webhook change no counter.
 */
export async function settleDeliveries(db: Db, settlements: readonly DeliverySettlement[]): Promise<void> {
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
    await updateWebhooks(trx, settlements);
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
      where d.id = e.id
      returning d.*, e.state, e.number
    )
    insert into deliveries (id, webhook_id, tenant_id, event_id, state, attempts, created_at, ended_at)
    select id, webhook_id, tenant_id, event_id, state, number, created_at, now() from gone order by id`.execute(
    trx,
  );
}

/** A delivery that was skipped or given up while its attempt ran, and that arrived all the same. */
async function markLateSuccesses(trx: Db, late: readonly DeliverySettlement[]): Promise<void> {
  if (late.length === 0) return;
  await sql`
    update deliveries d set state = 'delivered', attempts = greatest(d.attempts, l.number), ended_at = now()
    from unnest(${late.map((one) => one.deliveryId)}::uuid[], ${late.map((one) => one.number)}::int[]) as l(id, number)
    where d.id = l.id and d.state <> 'delivered'`.execute(trx);
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
    where d.id = r.id`.execute(trx);
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

/** What the attempts of one generation of a webhook, in their order, do to its counters. */
interface WebhookUpdate {
  readonly id: string;
  readonly generation: number;
  readonly succeeded: boolean;
  /** Failures since the last success among them, or all. */
  readonly failures: number;
  readonly failingSince: Date | null;
  readonly lastTriggeredAt: Date;
  readonly slow: boolean;
}

function toWebhookUpdate(attempts: readonly DeliverySettlement[]): WebhookUpdate {
  const lastSuccess = attempts.findLastIndex((one) => one.decision.kind === 'delivered');
  const failures = attempts.slice(lastSuccess + 1);
  const { webhookId: id, generation } = attempts[0]!;
  const tookMs = attempts.reduce((sum, one) => sum + one.durationMs, 0) / attempts.length;
  return {
    id,
    generation,
    succeeded: lastSuccess >= 0,
    failures: failures.length,
    failingSince: failures[0]?.beganAt ?? null,
    lastTriggeredAt: new Date(Math.max(...attempts.map((one) => one.beganAt.getTime()))),
    slow: failures.length > 0 || tookMs >= slowAnswerMs,
  };
}

async function updateWebhooks(trx: Db, settlements: readonly DeliverySettlement[]): Promise<void> {
  const groups = Map.groupBy(settlements, (one) => `${one.webhookId} ${one.generation}`);
  const updates = [...groups.values()].map(toWebhookUpdate);
  const column = <T>(read: (update: WebhookUpdate) => T): T[] => updates.map(read);
  await lockWebhooks(
    trx,
    column((one) => one.id),
  );
  await sql`
    update webhooks w set
      failure_count = u.failures + case when u.succeeded then 0 else w.failure_count end,
      failing_since = case when u.succeeded then u.failing_since else coalesce(w.failing_since, u.failing_since) end,
      last_triggered_at = greatest(w.last_triggered_at, u.last_triggered_at),
      lane = case when u.slow then 'slow' else 'fast' end
    from unnest(
      ${column((one) => one.id)}::uuid[], ${column((one) => one.generation)}::int[],
      ${column((one) => one.succeeded)}::bool[], ${column((one) => one.failures)}::int[],
      ${column((one) => one.failingSince?.toISOString() ?? null)}::timestamptz[],
      ${column((one) => one.lastTriggeredAt.toISOString())}::timestamptz[], ${column((one) => one.slow)}::bool[]
    ) as u(id, generation, succeeded, failures, failing_since, last_triggered_at, slow)
    where w.id = u.id and w.generation = u.generation`.execute(trx);
}

async function lockWebhooks(trx: Db, ids: readonly string[]): Promise<void> {
  await sql`
    select from webhooks where id = any (${[...ids]}::uuid[]) order by id for no key update`.execute(trx);
}
