import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { afterAttempt, type Random, scrub, type WebhookAttempt } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { bool, float8, int, smallint, text, timestamptz, unnestRows, uuid } from '../connection/rows.ts';
import { type Statements, transact } from '../connection/transact.ts';
import type { ClaimedPack } from './claims.ts';
import {
  type HealthUpdate,
  type LockedHealth,
  lockHealth,
  triggeredWithinMs,
  type WebhookFailure,
  writeHealth,
} from './health.ts';

/**
 * The decision after an attempt: the delivery is done, it is retried, its schedule is used up, or the pack is cut into two that are
 * posted at once.
 */
export type DeliveryDecision =
  | { readonly kind: 'delivered' }
  | { readonly kind: 'cut' }
  | { readonly kind: 'retry'; readonly afterMs: number }
  | { readonly kind: 'failed' };

/** The end of one attempt to deliver, and the decision made from it. */
export interface DeliverySettlement {
  /** Of a pack, its first delivery. */
  readonly deliveryId: string;
  /** The pack that was posted. The attempt is recorded once, as the pack's, and all its deliveries move on together. */
  readonly pack?: ClaimedPack;
  readonly webhookId: string;
  readonly holder: string;
  /** The webhook's generation at the claim. */
  readonly generation: number;
  /** Whether it was the one probe of a failing webhook. */
  readonly probe: boolean;
  /** The number of this attempt among those of the delivery, from 1. */
  readonly number: number;
  /** When it began, by the database's clock. */
  readonly beganAt: Date;
  readonly durationMs: number;
  /** The status of the response, or null without a response. */
  readonly status: number | null;
  /** The class of the error that prevented a response. Null with a response. */
  readonly error: string | null;
  /** The beginning of the response body. */
  readonly answer: string | null;
  /** How long the receiver asked us to wait, in ms. 0 if it did not ask. */
  readonly retryAfterMs: number;
  readonly decision: DeliveryDecision;
}

/**
 * Settles attempts in one transaction: ended deliveries move to `deliveries`, the others get their next time, every
 * attempt is recorded, and each webhook's health is written once, from its attempts in the order given. A success ends
 * its delivery even after its lease was lost. Any other outcome moves the delivery only while the lease is held.
 * Attempts of an earlier generation, and posts of packs that are cut, leave the webhook's health unchanged. `random` spreads the waits between probes.
 * Returns how many attempts had lost their lease.
 */
export async function settleDeliveries(
  db: Db,
  settlements: readonly DeliverySettlement[],
  random: Random = Math.random,
): Promise<number> {
  const byWebhook = Map.groupBy(settlements, (one) => one.webhookId);
  const rows = settlements.flatMap(rowsOf);
  const arrived = rows.filter(({ decision }) => decision.kind === 'delivered');
  return transact(db, async (trx, commit) => {
    const [{ arrived: waited, held }, webhooks] = await Promise.all([
      settleRows(trx, rows),
      lockHealth(trx, [...byWebhook.keys()]),
    ]);
    const isLate = waited < new Set(arrived.map((one) => one.deliveryId)).size;
    const updates = [...webhooks].flatMap(([id, locked]) => {
      const update = toUpdate(locked, byWebhook.get(id) ?? [], random);
      return update === null ? [] : [{ id, ...update }];
    });
    await commit(Promise.all([isLate ? markLateSuccesses(trx, arrived) : null, writeHealth(trx, updates)]));
    return settlements.length - held;
  });
}

/** What becomes of one delivery in an attempt. */
interface SettledRow extends DeliverySettlement {
  /** Of a pack, its first delivery stands for it: it carries what is recorded once. */
  readonly leads: boolean;
  /** The pack that it goes to when its pack is cut. */
  readonly half: string | null;
  readonly leadsHalf: boolean;
}

function rowsOf(settlement: DeliverySettlement): SettledRow[] {
  const { pack, decision } = settlement;
  if (pack === undefined) return [{ ...settlement, leads: true, half: null, leadsHalf: false }];
  const { deliveryIds } = pack;
  const middle = deliveryIds.length >> 1;
  const halves = decision.kind === 'cut' ? [randomUUIDv7(), randomUUIDv7()] : null;
  return deliveryIds.map((deliveryId, index) => ({
    ...settlement,
    deliveryId,
    leads: deliveryId === settlement.deliveryId,
    half: halves?.[index < middle ? 0 : 1] ?? null,
    leadsHalf: index === 0 || index === middle,
  }));
}

/**
 * Moves the deliveries on and records the attempts. Returns how many of the successful ones were waiting, and how many
 * attempts held their lease. Locks rows in id order. If one batch has two attempts at a delivery, the delivery ends when either attempt ends it.
 */
async function settleRows(
  trx: Statements,
  settlements: readonly SettledRow[],
): Promise<{ arrived: number; held: number }> {
  const sorted = settlements.toSorted((a, b) => (a.deliveryId < b.deliveryId ? -1 : 1));
  const ids = sorted.map((one) => one.deliveryId);
  const ends = unnestRows('s', sorted, {
    id: uuid((one) => one.deliveryId),
    webhook_id: uuid((one) => one.webhookId),
    holder: uuid((one) => one.holder),
    kind: text((one) => one.decision.kind),
    after_ms: float8(({ decision }) => (decision.kind === 'retry' ? decision.afterMs : null)),
    number: int((one) => one.number),
    status: smallint((one) => one.status),
    error: text((one) => one.error),
    answer: text((one) => (one.answer === null || !one.leads ? null : scrub(one.answer))),
    duration_ms: int((one) => Math.round(one.durationMs)),
    began_at: timestamptz((one) => one.beganAt),
    pack_id: uuid((one) => one.pack?.id ?? null),
    leads: bool((one) => one.leads),
    half: uuid((one) => one.half),
    leads_half: bool((one) => one.leadsHalf),
  });
  const { rows } = await sql<{ arrived: number; held: number }>`
    with settled as materialized (select * from ${ends}),
    ended as (
      delete from delivery_due d using settled s
      where d.id = s.id and d.id = any (${ids}::uuid[])
        and (s.kind = 'delivered' or s.kind = 'failed' and d.claimed_by = s.holder)
      returning d.id, d.webhook_id, d.tenant_id, d.event_id, d.created_at, s.kind, s.number, d.claimed_by = s.holder as held,
        s.pack_id, s.leads
    ),
    moved as (
      insert into deliveries (id, webhook_id, tenant_id, event_id, state, reason, attempts, created_at, ended_at, pack_id, leads_pack)
      select id, webhook_id, tenant_id, event_id, kind, case kind when 'failed' then 'attempts-exhausted' end, number,
        created_at, now(), pack_id, case when pack_id is not null and leads then true end
      from ended
    ),
    postponed as (
      update delivery_due d set
        claimed_by = null, claimed_until = null, attempts = s.number,
        due_at = now() + make_interval(secs => s.after_ms / 1000)
      from settled s
      where s.kind = 'retry' and d.id = s.id and d.id = any (${ids}::uuid[]) and d.claimed_by = s.holder
        and d.id <> all (array(select id from ended))
      returning d.id, s.leads
    ),
    cut as (
      update delivery_due d set
        claimed_by = null, claimed_until = null,
        pack_id = case when d.pack_id = s.pack_id then s.half end,
        leads_pack = case when d.pack_id = s.pack_id and s.leads_half then true end
      from settled s
      where s.kind = 'cut' and d.id = s.id and d.id = any (${ids}::uuid[]) and d.claimed_by = s.holder
        and d.id <> all (array(select id from ended))
      returning d.id, d.webhook_id, d.tenant_id, d.pack_id, s.leads
    ),
    halved as (
      insert into delivery_packs (id, webhook_id, tenant_id, delivery_ids)
      select pack_id, webhook_id, tenant_id, array_agg(id order by id) from cut
      where pack_id is not null group by pack_id, webhook_id, tenant_id
    ),
    recorded as (
      insert into delivery_attempts (delivery_id, webhook_id, number, status, error, answer, duration_ms, began_at)
      select coalesce(pack_id, id), webhook_id, number, status, error, answer, duration_ms, began_at from settled where leads
    )
    select count(*) filter (where kind = 'delivered')::int as arrived,
      (count(*) filter (where held and leads) + (select count(*) filter (where leads) from postponed)
        + (select count(*) filter (where leads) from cut))::int as held
    from ended`.execute(trx);
  return rows[0]!;
}

/** Marks deliveries as delivered that were skipped or given up while a successful attempt ran. */
async function markLateSuccesses(trx: Statements, arrived: readonly SettledRow[]): Promise<void> {
  const late = unnestRows('l', arrived, {
    id: uuid((one) => one.deliveryId),
    webhook_id: uuid((one) => one.webhookId),
    number: int((one) => one.number),
    pack_id: uuid((one) => one.pack?.id ?? null),
    leads: bool((one) => one.leads),
  });
  await sql`
    update deliveries d set state = 'delivered', reason = null, attempts = greatest(d.attempts, l.number), ended_at = now(),
      pack_id = l.pack_id, leads_pack = case when l.pack_id is not null and l.leads then true end
    from ${late}
    where d.id = l.id and d.webhook_id = l.webhook_id
      and d.id = any (${arrived.map((one) => one.deliveryId)}::uuid[]) and d.state <> 'delivered'`.execute(
    trx,
  );
}

/** The webhook's health after the attempts, in their order. Null when there is nothing to write. */
function toUpdate(
  { health, lastTriggeredMs, nowMs }: LockedHealth,
  attempts: readonly DeliverySettlement[],
  random: Random,
): Omit<HealthUpdate, 'id'> | null {
  // Only attempts of the generation that was read count. An attempt that disables the webhook ends that generation.
  const counted = attempts.filter(
    (one) => one.generation === health.generation && one.decision.kind !== 'cut',
  );
  if (counted.length === 0) return null;
  const after = counted.reduce((now, one) => afterAttempt(now, toAttempt(one), nowMs, random), health);
  const lastTriggeredAt = latest(counted);
  const isOverdue =
    lastTriggeredMs === null || lastTriggeredAt.getTime() - lastTriggeredMs >= triggeredWithinMs;
  if (!isOverdue && isDeepStrictEqual(after, health)) return null;
  return { health: after, lastTriggeredAt, lastFailure: latestFailure(counted) };
}

function latestFailure(attempts: readonly DeliverySettlement[]): WebhookFailure | null {
  const failed = attempts.findLast(({ decision }) => decision.kind !== 'delivered');
  return failed === undefined ? null : { at: failed.beganAt, status: failed.status, error: failed.error };
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
