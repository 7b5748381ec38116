import type { Lane } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { int, unnestRows, uuid } from '../connection/rows.ts';
import { mayLeave } from '../holds/hold.ts';

/** The request of one webhook's turn. */
export interface DeliveryClaimRequest {
  /** The most deliveries to claim. */
  readonly limit: number;
  /** Deliveries that the turn has in flight. */
  readonly inFlight: number;
  /** Delivered ones among them whose leases only wait for their settlement. */
  readonly settling: number;
}

/** The terms that all webhooks of a claim share. */
export interface DeliveryClaimTerms {
  /** The lane of the turns. Webhooks of the other lane yield nothing. */
  readonly lane: Lane;
  /** Deadline of a post plus the time to settle it, in ms. */
  readonly leaseMs: number;
  /** Whether to read the message of each event and its sender's `traceparent`. Default false: then the column may be missing. */
  readonly traced?: boolean;
}

/** A row of `webhook_older_secrets`. */
export interface OlderSecret {
  readonly id: string;
  /** Sealed. */
  readonly secret: string;
}

/** The webhook of a turn, as it is at the moment of the claim. */
export interface ClaimedWebhook {
  readonly id: string;
  readonly tenantId: string;
  readonly url: string;
  /** Sealed. */
  readonly secret: string;
  /** Sealed. Null when it no longer signs. */
  readonly previousSecret: string | null;
  /** Secrets replaced before it that still sign, newest first. */
  readonly olderSecrets: readonly OlderSecret[];
  readonly generation: number;
  /** The webhook is failing, and this claim is its one probe. */
  readonly probe: boolean;
}

/** A delivery that only this turn may post until its lease ends. */
export interface ClaimedDelivery {
  readonly webhook: ClaimedWebhook;
  readonly id: string;
  readonly eventId: string;
  /** The JSON to post, byte for byte. */
  readonly body: string;
  /** A test event, which is not retried. */
  readonly isTest: boolean;
  /** `taken-over`: another holder had it, and its lease has ended. */
  readonly state: 'call' | 'taken-over';
  /** The holder of the lease. New for every claim, as with messages. */
  readonly holder: string;
  /** Attempts that ended before this claim. */
  readonly attempts: number;
  /** The moment of the claim by the database's clock. */
  readonly claimedAt: Date;
  /** Absent unless traces are on. A pack belongs to no one message. */
  readonly message?: ToldMessage;
  /** Absent for an event that is posted alone. */
  readonly pack?: ClaimedPack;
}

/** A pack. Its claim has the id, event and attempts of its first delivery, and the body of the whole. */
export interface ClaimedPack {
  readonly id: string;
  /** In the order of their ids. */
  readonly deliveryIds: readonly string[];
}

/** The message that an event belongs to, for its trace. */
export interface ToldMessage {
  /** Null for an event that belongs to no message. */
  readonly id: string | null;
  /** The sender's. */
  readonly traceparent: string | null;
}

/** The requests of turns as rows `w`, in SQL. */
export function requestRows(
  wanted: readonly (readonly [webhookId: string, request: DeliveryClaimRequest])[],
): RawBuilder<unknown> {
  return unnestRows('w', wanted, {
    webhook_id: uuid(([id]) => id),
    wanted: int(([, request]) => request.limit),
    in_flight: int(([, request]) => request.inFlight),
    settling: int(([, request]) => request.settling),
  });
}

/** The columns of a claim that describe its webhook. */
export interface WebhookColumns {
  webhook_id: string;
  tenant_id: string;
  url: string;
  secret: string;
  previous_secret: string | null;
  older_secrets: OlderSecret[] | null;
  generation: number;
  probe: boolean;
}

/** Whether turns of this lane may claim for a webhook now, in SQL. */
export function mayClaim(ids: readonly string[], lane: Lane): RawBuilder<boolean> {
  return sql<boolean>`id = any (${ids}::uuid[]) and lane = ${lane} and is_active
    and coalesce(paused_until <= now(), true) and ${mayLeave}`;
}

/** The columns of `WebhookColumns`, of a claim's webhook `w`, in SQL. */
export const webhookColumns = sql`w.tenant_id, w.url, w.secret, w.generation, w.probe,
      case when w.previous_secret_until > now() then w.previous_secret end as previous_secret,
      case when w.previous_secret_until > now() then (
        select json_agg(json_build_object('id', id, 'secret', secret) order by until desc)
        from webhook_older_secrets where webhook_id = w.id and until > now()
      ) end as older_secrets`;

export function toClaimedWebhook(row: WebhookColumns): ClaimedWebhook {
  return {
    id: row.webhook_id,
    tenantId: row.tenant_id,
    url: row.url,
    secret: row.secret,
    previousSecret: row.previous_secret,
    olderSecrets: row.older_secrets ?? [],
    generation: row.generation,
    probe: row.probe,
  };
}

/** Deletes deliveries that have waited longer than their events are kept. They can never be posted. */
export async function deleteWithoutEvent(db: Db, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await db.deleteFrom('delivery_due').where('id', 'in', ids).execute();
}
