import type { Db } from '@notify/db/connection';
import { joinReceipts, type NewReceipt, storeReceipts } from '@notify/db/receipts';
import type { Waker } from '@notify/queue';
import { type Log, reached } from '@notify/runtime';
import { createBatcher } from '@notify/turns';
import type { ApiDeps } from '../deps.ts';
import { wakeAll } from '../wake.ts';

export interface ReceiverOptions {
  readonly db: Db;
  readonly waker: Waker;
  readonly log: Log;
}

const maxItems = 500;
/** Between two joins, in ms: half of what a small one costs is the same for a large one. Nobody waits for them. */
const joinsApartMs = 20;

/**
 * Takes providers' reports: commits them in batches, which is when the provider gets its answer, and joins them to
 * their messages in a second step. A report whose join fails is joined by the sweeper.
 */
export function createReceiver(options: ReceiverOptions): ApiDeps['receive'] {
  const { db, waker, log } = options;
  const joiner = createBatcher<readonly string[], void>({
    maxItems,
    apartMs: joinsApartMs,
    weigh: (ids) => ids.length,
    run: async (groups) => {
      const { webhooks } = await joinReceipts(db, { kind: 'ids', ids: groups.flat() });
      reached('receipts-joined');
      wakeAll(waker, log, 'webhooks', webhooks);
      return groups.map(() => undefined);
    },
  });
  const store = createBatcher<readonly NewReceipt[], void>({
    maxItems,
    weigh: (receipts) => receipts.length,
    run: async (groups) => {
      const ids = await storeReceipts(db, groups.flat());
      reached('receipts-stored');
      joiner.add(ids).catch((error: unknown) => log.warn({ err: error }, 'receipts left to the sweeper'));
      return groups.map(() => undefined);
    },
  });
  return async ({ id }, receipts) => {
    if (receipts.length > 0) await store.add(receipts.map((receipt) => ({ ...receipt, accountId: id })));
  };
}
