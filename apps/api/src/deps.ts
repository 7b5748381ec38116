import type { Adapter, Receipt } from '@notify/channels';
import type { AcceptItem, AcceptResult, Db } from '@notify/db';
import type { HttpClient } from '@notify/egress';
import type { Waker } from '@notify/queue';
import type { Log, Secrets, Settings } from '@notify/runtime';

/** Everything a handler may touch. `main.ts` builds the real one. */
export interface ApiDeps {
  readonly db: Db;
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly waker: Waker;
  readonly http: HttpClient;
  readonly adapters: ReadonlyMap<string, Adapter>;
  /**
   * Stores messages in the next group commit and wakes whom they concern; answers in the order of the items. Besides
   * what the commit says, a tenant with too many waiting messages is refused with `limit-reached`.
   */
  readonly accept: (items: readonly AcceptItem[]) => Promise<readonly SendResult[]>;
  /** Commits receipts of an account, then joins them to their messages. */
  readonly receive: (
    account: { readonly id: string; readonly tenantId: string },
    receipts: readonly Receipt[],
  ) => Promise<void>;
  readonly log: Log;
}

/** What became of one message that a tenant wanted sent. */
export type SendResult = AcceptResult | { readonly kind: 'refused'; readonly code: 'limit-reached' };
