import { randomUUID } from 'node:crypto';
import {
  claimDeliveries,
  type ClaimedDelivery,
  type Database,
  type Db,
  type DeliveryDecision,
  type DeliverySettlement,
  type Lane,
} from '@notify/db';
import { type Selectable, sql } from 'kysely';

export interface ClaimOptions {
  readonly limit?: number;
  readonly lane?: Lane;
  readonly leaseMs?: number;
}

/** Claims as a turn of its own would. */
export function claimAs(db: Db, webhookId: string, options: ClaimOptions = {}): Promise<ClaimedDelivery[]> {
  const { limit = 10, lane = 'fast', leaseMs = 15_000 } = options;
  return claimDeliveries(db, { webhookId, lane, limit, holder: randomUUID(), leaseMs });
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
    webhookId: claimed.webhook.id,
    holder: claimed.holder,
    generation: claimed.webhook.generation,
    number: claimed.attempts + 1,
    beganAt: claimed.claimedAt,
    durationMs: 12.3,
    status: decision.kind === 'delivered' ? 200 : 500,
    error: null,
    answer: 'said',
    decision,
    ...changes,
  };
}

/** Takes a webhook back into the fast lane, whatever its attempts did to it. */
export async function toFastLane(db: Db, webhookId: string): Promise<void> {
  await sql`update webhooks set lane = 'fast' where id = ${webhookId}`.execute(db);
}

/** How deliveries ended, in the order of their ids. */
export function endedDeliveries(
  db: Db,
  ids: readonly string[],
): Promise<Selectable<Database['deliveries']>[]> {
  return db.selectFrom('deliveries').selectAll().where('id', 'in', ids).orderBy('id').execute();
}
