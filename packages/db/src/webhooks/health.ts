import type { WebhookHealth, WebhookLane } from '@notify/core';
import { sql } from 'kysely';
import type { Trx } from '../connection/connect.ts';
import { bool, int, smallint, text, timestamptz, unnestRows, uuid } from '../connection/rows.ts';
import type { Statements } from '../connection/transact.ts';

/** The most that `last_triggered_at` lags behind, in ms, so that a healthy webhook is not written with every batch. */
export const triggeredWithinMs = 1_000;

/** The health of a webhook whose row is locked until the transaction ends. */
export interface LockedHealth {
  readonly health: WebhookHealth;
  /** When the latest recorded attempt began, in ms since 1970. Null before the first. */
  readonly lastTriggeredMs: number | null;
  /** When the transaction began by the database's clock, in ms since 1970. */
  readonly nowMs: number;
}

interface Row {
  id: string;
  is_active: boolean;
  disabled_reason: string | null;
  generation: number;
  failure_count: number;
  failing_since: Date | null;
  probes: number;
  paused_until: Date | null;
  at_once: number;
  lane: WebhookLane;
  last_triggered_at: Date | null;
  now: Date;
}

/** Locks webhooks in id order and reads their health. Leaves out removed webhooks. */
export async function lockHealth(
  trx: Statements,
  ids: readonly string[],
): Promise<Map<string, LockedHealth>> {
  const { rows } = await sql<Row>`
    select id, is_active, disabled_reason, generation, failure_count, failing_since, probes, paused_until, at_once,
      lane, last_triggered_at, now()
    from webhooks where id = any (${ids}::uuid[]) order by id for no key update`.execute(trx);
  return new Map(rows.map((row) => [row.id, toLocked(row)]));
}

function toLocked(row: Row): LockedHealth {
  const lastTriggeredMs = row.last_triggered_at?.getTime() ?? null;
  return { health: toHealth(row), lastTriggeredMs, nowMs: row.now.getTime() };
}

function toHealth(row: Row): WebhookHealth {
  return {
    isActive: row.is_active,
    disabledReason: row.disabled_reason,
    generation: row.generation,
    failureCount: row.failure_count,
    failingSinceMs: row.failing_since?.getTime() ?? null,
    probes: row.probes,
    pausedUntilMs: row.paused_until?.getTime() ?? null,
    atOnce: row.at_once,
    lane: row.lane,
  };
}

/** The fields to write of one webhook. */
export interface HealthUpdate {
  readonly id: string;
  readonly health: WebhookHealth;
  /** When its latest attempt began; null leaves `last_triggered_at` as it is. */
  readonly lastTriggeredAt: Date | null;
  /** Its latest failed attempt; null leaves the one that is stored. */
  readonly lastFailure: WebhookFailure | null;
}

/** A failed attempt at a webhook. */
export interface WebhookFailure {
  readonly at: Date;
  /** The status of the response, or null without a response. */
  readonly status: number | null;
  /** The class of the error that prevented a response. */
  readonly error: string | null;
}

/** Writes the health of webhooks that this transaction has locked. */
export async function writeHealth(trx: Statements, updates: readonly HealthUpdate[]): Promise<void> {
  if (updates.length === 0) return;
  const changes = unnestRows('u', updates, {
    id: uuid((one) => one.id),
    is_active: bool((one) => one.health.isActive),
    disabled_reason: text((one) => one.health.disabledReason),
    generation: int((one) => one.health.generation),
    failure_count: int((one) => one.health.failureCount),
    failing_since: timestamptz((one) => dateAt(one.health.failingSinceMs)),
    probes: int((one) => one.health.probes),
    paused_until: timestamptz((one) => dateAt(one.health.pausedUntilMs)),
    at_once: smallint((one) => one.health.atOnce),
    lane: text((one) => one.health.lane),
    last_triggered_at: timestamptz((one) => one.lastTriggeredAt),
    last_failed_at: timestamptz((one) => one.lastFailure?.at ?? null),
    last_failed_status: smallint((one) => one.lastFailure?.status ?? null),
    last_failed_error: text((one) => one.lastFailure?.error ?? null),
  });
  await sql`
    update webhooks w set
      is_active = u.is_active, disabled_reason = u.disabled_reason, generation = u.generation,
      failure_count = u.failure_count, failing_since = u.failing_since, probes = u.probes,
      paused_until = u.paused_until, at_once = u.at_once, lane = u.lane,
      last_triggered_at = greatest(w.last_triggered_at, u.last_triggered_at),
      last_failed_at = coalesce(u.last_failed_at, w.last_failed_at),
      last_failed_status = case when u.last_failed_at is null then w.last_failed_status else u.last_failed_status end,
      last_failed_error = case when u.last_failed_at is null then w.last_failed_error else u.last_failed_error end
    from ${changes}
    where w.id = u.id and w.id = any (${updates.map((one) => one.id)}::uuid[])`.execute(trx);
}

function dateAt(ms: number | null): Date | null {
  return ms === null ? null : new Date(ms);
}

/** Changes the health of one webhook. Does nothing if the webhook is gone. */
export async function changeHealth(
  trx: Trx,
  id: string,
  change: (health: WebhookHealth) => WebhookHealth,
): Promise<void> {
  const locked = (await lockHealth(trx, [id])).get(id);
  if (locked !== undefined)
    await writeHealth(trx, [{ id, health: change(locked.health), lastTriggeredAt: null, lastFailure: null }]);
}
