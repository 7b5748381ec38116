import type { Db } from '@notify/db/connection';
import { createReceipts } from '@notify/dispatch';
import type { Waker } from '@notify/queue';
import type { Log } from '@notify/runtime';
import type { ApiDeps } from '../deps.ts';
import { wakeAll } from '../wake.ts';

export interface ReceiverOptions {
  readonly db: Db;
  readonly waker: Waker;
  readonly log: Log;
}

/** Commits the delivery receipts of a callback, which is when the provider gets its answer. They are applied afterwards. */
export function createReceiver({ db, waker, log }: ReceiverOptions): ApiDeps['receive'] {
  const receipts = createReceipts({
    db,
    log,
    wakeWebhooks: (webhooks) => wakeAll(waker, log, 'webhooks', webhooks),
  });
  return ({ id }, received) => receipts.store(received.map((receipt) => ({ ...receipt, accountId: id })));
}
