import type { Db } from '@notify/db/connection';
import {
  type DeliverySettlement,
  isPlainDelivery,
  settleDeliveries,
  settleDelivered,
} from '@notify/db/webhooks';
import { type Log, reached } from '@notify/runtime';
import { createSettler, plainFirst, type Settle } from '@notify/turns';

const maxItems = 200;
/** Half the cost of a small batch is fixed. A failed delivery holds its webhook's slot this long, so keep it short. */
const apartMs = 20;

/**
 * Settles attempts in batches across all turns of the process. Successes exist only in this process, so they are kept
 * while the database cannot store them: otherwise they would be posted again.
 */
export function createDeliverySettler(db: Db, log: Log): Settle<DeliverySettlement> {
  return createSettler({
    maxItems,
    apartMs,
    run: plainFirst({
      idOf: (settlement) => settlement.deliveryId,
      groupOf: (settlement) => settlement.webhookId,
      isPlain: isPlainDelivery,
      async runPlain(settlements) {
        const settled = await settleDelivered(db, settlements);
        if (settled.size > 0) reached('webhook-settled');
        return settled;
      },
      async run(settlements) {
        await settleDeliveries(db, settlements);
        reached('webhook-settled');
      },
    }),
    onFailure: (error, settlements) =>
      log.warn({ err: error, deliveries: settlements.length }, 'settlement waits for the database'),
  });
}
