import type { Db } from '@notify/db/connection';
import { type DeliverySettlement, settleDeliveries } from '@notify/db/webhooks';
import { type Log, reached } from '@notify/runtime';
import { createSettler, type Settle } from '@notify/turns';

const maxItems = 200;
/** Half of what a small batch costs is the same for a large one. What failed holds its webhook's slot for as long, so no longer. */
const apartMs = 20;

/**
 * Settles attempts in batches over all turns of the process. What arrived is known only here, so it is kept while the
 * database cannot store it: otherwise it would be posted once more.
 */
export function createDeliverySettler(db: Db, log: Log): Settle<DeliverySettlement> {
  return createSettler({
    maxItems,
    apartMs,
    async run(settlements) {
      await settleDeliveries(db, settlements);
      reached('webhook-settled');
    },
    onFailure: (error, settlements) =>
      log.warn({ err: error, deliveries: settlements.length }, 'settlement waits for the database'),
  });
}
