import { type Lane, mostAtOnce } from '@notify/core';
import type { Db } from '@notify/db/connection';
import type { Database } from '@notify/db/schema';
import {
  claimDeliveries,
  type ClaimedDelivery,
  type DeliveryDecision,
  type DeliverySettlement,
} from '@notify/db/webhooks';
import { type Selectable, sql } from 'kysely';

export interface ClaimOptions {
  readonly limit?: number;
  readonly lane?: Lane;
  readonly leaseMs?: number;
  readonly inFlight?: number;
  readonly settling?: number;
}

/** Claims as its own turn would. */
export async function claimAs(
  db: Db,
  webhookId: string,
  options: ClaimOptions = {},
): Promise<ClaimedDelivery[]> {
  const { limit = 10, lane = 'fast', leaseMs = 15_000, inFlight = 0, settling = 0 } = options;
  const claims = await claimDeliveries(db, new Map([[webhookId, { limit, inFlight, settling }]]), {
    lane,
    leaseMs,
  });
  return claims.get(webhookId) ?? [];
}

export const ok: DeliveryDecision = { kind: 'delivered' };
export const givenUp: DeliveryDecision = { kind: 'failed' };
export const again = (afterMs = 5_000): DeliveryDecision => ({ kind: 'retry', afterMs });

/** The end of an attempt at `claimed`. */
export function ended(
  claimed: ClaimedDelivery,
  decision: DeliveryDecision,
  changes: Partial<DeliverySettlement> = {},
): DeliverySettlement {
  return {
    deliveryId: claimed.id,
    ...(claimed.pack && { pack: claimed.pack }),
    webhookId: claimed.webhook.id,
    holder: claimed.holder,
    generation: claimed.webhook.generation,
    probe: claimed.webhook.probe,
    number: claimed.attempts + 1,
    beganAt: claimed.claimedAt,
    durationMs: 12.3,
    status: decision.kind === 'delivered' ? 200 : 500,
    error: null,
    answer: 'said',
    retryAfterMs: 0,
    decision,
    ...changes,
  };
}

/** Takes a webhook back into the fast lane with room for many posts, whatever its attempts did to it. */
export async function toFastLane(db: Db, webhookId: string): Promise<void> {
  await sql`update webhooks set lane = 'fast', at_once = ${mostAtOnce}, paused_until = null
    where id = ${webhookId}`.execute(db);
}

/** How deliveries ended, in the order of their ids. */
export function endedDeliveries(
  db: Db,
  ids: readonly string[],
): Promise<Selectable<Database['deliveries']>[]> {
  return db.selectFrom('deliveries').selectAll().where('id', 'in', ids).orderBy('id').execute();
}
