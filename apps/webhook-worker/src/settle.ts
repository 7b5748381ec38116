import { createSettler, plainFirst, type Settle } from '@notify/batching';
import type { Db } from '@notify/db/connection';
import {
  type DeliverySettlement,
  isPlainDelivery,
  settleDeliveries,
  settleDelivered,
} from '@notify/db/webhooks';
import { type Log, reached } from '@notify/runtime';
import { metrics } from '@notify/telemetry';

const maxItems = 200;
/** Half the cost of a small batch is fixed. A failed delivery holds its webhook's slot this long, so keep it short. */
const apartMs = 20;

/**
 * Settles attempts in batches across all turns of the process. Successes exist only in this process, so they are kept
 * while the database cannot store them: otherwise they would be posted again.
 */
export function createDeliverySettler(db: Db, log: Log): Settle<DeliverySettlement> {
  return createSettler({
    kind: 'deliveries',
    maxItems,
    apartMs,
    run: plainFirst({
      kind: 'deliveries',
      idOf: (settlement) => settlement.deliveryId,
      ownerOf: (settlement) => settlement.webhookId,
      isPlain: isPlainDelivery,
      async runPlain(settlements) {
        const { deliveryIds, lost } = await settleDelivered(db, settlements);
        count(deliveryIds.size, lost);
        if (deliveryIds.size > 0) reached('webhook-settled');
        return deliveryIds;
      },
      async run(settlements) {
        count(settlements.length, await settleDeliveries(db, settlements));
        reached('webhook-settled');
      },
    }),
    onFailure: (error, settlements) =>
      log.tell('delivery-settlement-waits', { err: error, deliveries: settlements.length }),
  });
}

/** An attempt is recorded even after its lease was lost. */
function count(settled: number, lost: number): void {
  metrics.settlements.settled.inc({ kind: 'deliveries' }, settled);
  if (lost > 0) metrics.leasesLost.inc({ kind: 'deliveries' }, lost);
}
