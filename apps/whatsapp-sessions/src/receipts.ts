import { type Db, joinReceipts, type NewReceipt, storeReceipts, type Wake } from '@notify/db';
import { createBatcher, type Log } from '@notify/runtime';
import type { Report } from './socket.ts';

const maxItems = 200;

/**
 * Stores what recipients' phones report, and joins it to its messages, many accounts at once. What fails is logged: a
 * report that was stored is joined by the sweeper.
 */
export function createReporter(
  db: Db,
  log: Log,
  wakeWebhooks: (webhooks: readonly Wake[]) => void,
): (accountId: string, reports: readonly Report[]) => void {
  const batcher = createBatcher<NewReceipt, void>({
    maxItems,
    run: async (receipts) => {
      const ids = await storeReceipts(db, receipts);
      const { webhooks } = await joinReceipts(db, { kind: 'ids', ids });
      wakeWebhooks(webhooks);
      return receipts.map(() => undefined);
    },
  });
  return (accountId, reports) => {
    for (const { id, status } of reports) {
      const receipt: NewReceipt = { accountId, messageId: null, externalId: id, part: null, status };
      batcher
        .add(receipt)
        .catch((error: unknown) => log.warn({ err: error, accountId }, 'a receipt was not stored'));
    }
  };
}
