import { type Db, type DeliverySettlement, settleDeliveries, whenDatabaseIsBack } from '@notify/db';
import { createBatcher, type Log, reached } from '@notify/runtime';

const maxItems = 200;
/** Half of what a small batch costs is the same for a large one. What failed holds its webhook's slot for as long, so no longer. */
const apartMs = 20;

/**
 * Settles attempts in batches over all turns of the process. While Postgres is away it tries again until it is back, so
 * that what has arrived is not posted once more if that can be helped.
 */
export function createSettler(db: Db, log: Log): (settlement: DeliverySettlement) => Promise<void> {
  const batcher = createBatcher<DeliverySettlement, void>({
    maxItems,
    apartMs,
    run: async (settlements) => {
      await settleDeliveries(db, settlements);
      reached('webhook-settled');
      return settlements.map(() => undefined);
    },
  });
  return (settlement) =>
    whenDatabaseIsBack(
      () => batcher.add(settlement),
      (error) =>
        log.warn({ err: error, deliveryId: settlement.deliveryId }, 'settlement waits for the database'),
    );
}
