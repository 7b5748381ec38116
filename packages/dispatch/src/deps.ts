import type { Settle } from '@notify/batching';
import type { Adapter, ProviderHttp, ProviderUrls } from '@notify/channels';
import type { Random } from '@notify/core';
import type { Db } from '@notify/db/connection';
import type { Claimed, ClaimRequest } from '@notify/db/dispatch';
import type { MediaClient, ObjectStore } from '@notify/egress';
import type { Log, Secrets } from '@notify/runtime';
import type { Permits } from '@notify/turns';
import type { WakeGroups } from './groups.ts';
import type { EndedAttempt } from './message-metrics.ts';
import type { WakeWebhooks } from './wake-webhooks.ts';

/** The dependencies of a dispatch turn. The process that takes turns builds the real ones. */
export interface DispatchDeps {
  readonly db: Db;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly http: ProviderHttp;
  /** Fetches tenants' files. */
  readonly media: MediaClient;
  /** The bucket of uploaded files. Null without one. */
  readonly objects: ObjectStore | null;
  readonly adapters: ReadonlyMap<string, Adapter>;
  /** Joins the claim of an account's messages into the next statement. Null when it claims nothing. */
  readonly claim: (accountId: string, request: ClaimRequest) => Promise<readonly Claimed[] | null>;
  /** Permits for fetching and sending files, shared by all turns of this lane in the process. */
  readonly mediaInFlight: Permits;
  /** The concurrent calls that each account's provider permits, as earlier turns have seen. Default one. */
  readonly maxInFlightOf: Map<string, number>;
  /** Joins the settlement into the next batch; resolves when it is committed. */
  readonly settle: Settle<EndedAttempt>;
  readonly wakeWebhooks: WakeWebhooks;
  readonly wakeGroups: WakeGroups;
  readonly receiptWaitMs: number;
  /** The base of our callback URLs; null when there is none. */
  readonly publicUrl: string | null;
  /** Provider addresses that the operator configured. */
  readonly providerUrls: ProviderUrls;
  readonly random: Random;
  /** Returns the claims that may go now, and gives back those that must wait because of their account. */
  readonly admit?: (claims: readonly Claimed[]) => Promise<readonly Claimed[]>;
}
