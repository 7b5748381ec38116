import type { Receipt } from '@notify/channels';
import type { Db } from '@notify/db/connection';
import { createReceipts } from '@notify/dispatch';
import { type Wakes, wakeAll } from '../wake.ts';

/** Commits delivery receipts of an account; they are applied to their messages afterwards. */
export type StoreReceipts = (account: { readonly id: string }, receipts: readonly Receipt[]) => Promise<void>;

export interface ReceiptStoreOptions extends Wakes {
  readonly db: Db;
}

/**
 * Stores the receipts of callbacks. The provider gets its answer once they are committed. They are applied to their
 * messages afterwards.
 */
export function createReceiptStore({ db, waker, log }: ReceiptStoreOptions): StoreReceipts {
  const receipts = createReceipts({
    db,
    log,
    wakeWebhooks: (webhooks) => wakeAll(waker, log, 'webhooks', webhooks),
    wakeGroups: (tenants) => wakeAll(waker, log, 'groups', tenants),
  });
  return ({ id }, received) => receipts.store(received.map((receipt) => ({ ...receipt, accountId: id })));
}
