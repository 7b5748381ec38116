import type { Adapter, ProviderHttp, ProviderUrls } from '@notify/channels';
import type { Random, Wake } from '@notify/core';
import type { Db } from '@notify/db/connection';
import type { Claimed, ClaimRequest, Settlement } from '@notify/db/dispatch';
import type { MediaClient } from '@notify/egress';
import type { Log, Secrets } from '@notify/runtime';
import type { Permits, Settle } from '@notify/turns';

/** Everything a dispatch turn may touch. The process that takes turns builds the real one. */
export interface DispatchDeps {
  readonly db: Db;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly http: ProviderHttp;
  /** Fetches tenants' files. */
  readonly media: MediaClient;
  readonly adapters: ReadonlyMap<string, Adapter>;
  /** Joins the claim of an account's messages into the next statement; null where nothing comes of it. */
  readonly claim: (accountId: string, request: ClaimRequest) => Promise<readonly Claimed[] | null>;
  /** For files that are fetched and sent, shared by all turns of this lane in the process. */
  readonly mediaInFlight: Permits;
  /** Calls at once that an account's provider takes, as earlier turns have seen; a turn that does not know begins with one. */
  readonly slotsOf: Map<string, number>;
  /** Joins the settlement into the next batch; resolves when it is committed. */
  readonly settle: Settle<Settlement>;
  /** Tells webhooks that they have work; a failure is only a delay. */
  readonly wakeWebhooks: (webhooks: readonly Wake[]) => void;
  readonly receiptWaitMs: number;
  /** The address providers report to; null when there is none. */
  readonly publicUrl: string | null;
  /** Where the operator says providers are reached. */
  readonly providerUrls: ProviderUrls;
  readonly random: Random;
  /** Leaves out, and gives back, claimed messages that have to wait for a reason of the account's own. */
  readonly admit?: (claims: readonly Claimed[]) => Promise<readonly Claimed[]>;
}
