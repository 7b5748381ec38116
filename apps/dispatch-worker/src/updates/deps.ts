import type { Adapter, ProviderHttp, ProviderUrls, Updates } from '@notify/channels';
import type { Db } from '@notify/db/connection';
import type { WakeWebhooks } from '@notify/dispatch';
import type { Log, Secrets } from '@notify/runtime';

/** What receiving updates needs. */
export interface UpdatesDeps {
  readonly db: Db;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly adapters: ReadonlyMap<string, Adapter>;
  /** Clients of their own: questions that stay open for long must not take the connections of sends. */
  readonly updatesHttp: ProviderHttp;
  readonly providerUrls: ProviderUrls;
  readonly publicUrl: string | null;
  readonly wakeWebhooks: WakeWebhooks;
}

/** An adapter whose accounts have updates. */
export type UpdatingAdapter = Adapter & { readonly updates: Updates };

/** What the work on one account needs. */
export interface SourceDeps extends UpdatesDeps {
  readonly leaseMs: number;
  /** Aborts when the process ends. */
  readonly stopping: AbortSignal;
  /** Whether the account should give its slot to one that waits. */
  isCrowded(): boolean;
}
