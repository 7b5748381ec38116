import type { Settle } from '@notify/batching';
import type { Lane, Random } from '@notify/core';
import type { Db } from '@notify/db/connection';
import type { ClaimedDelivery, DeliveryClaimRequest, DeliverySettlement } from '@notify/db/webhooks';
import type { HttpClient } from '@notify/egress';
import type { Log, Secrets } from '@notify/runtime';

/** The dependencies of a webhook turn. `worker.ts` builds the real ones. */
export interface WebhookDeps {
  readonly db: Db;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly http: HttpClient;
  readonly lane: Lane;
  /** Joins the claim of a webhook's deliveries into the next statement. Null when it claims nothing. */
  claim(webhookId: string, request: DeliveryClaimRequest): Promise<readonly ClaimedDelivery[] | null>;
  /** Joins the settlement into the next batch; resolves when it is committed. */
  readonly settle: Settle<DeliverySettlement>;
  readonly random: Random;
}
