import type { Random } from '@notify/core';
import type { Db } from '@notify/db/connection';
import type { ClaimedDelivery, DeliveryClaimRequest, DeliverySettlement } from '@notify/db/webhooks';
import type { HttpClient } from '@notify/egress';
import type { Lane } from '@notify/queue';
import type { Allowance, Log, Secrets, Settle } from '@notify/runtime';

/** Everything a webhook turn may touch. `worker.ts` builds the real one. */
export interface WebhookDeps {
  readonly db: Db;
  readonly log: Log;
  readonly secrets: Secrets;
  /** Closed when the process has no more time for posts: those under way are given back. */
  readonly http: HttpClient;
  readonly lane: Lane;
  /** Joins the claim of a webhook's deliveries into the next statement; null where nothing comes of it. */
  claim(webhookId: string, request: DeliveryClaimRequest): Promise<readonly ClaimedDelivery[] | null>;
  /** Posts in flight, shared by all turns of this lane in the process. */
  readonly posts: Allowance;
  /** Joins the settlement into the next batch; resolves when it is committed. */
  readonly settle: Settle<DeliverySettlement>;
  /** Whether turns of other webhooks wait for this one to end. */
  othersWait(): boolean;
  readonly random: Random;
}
