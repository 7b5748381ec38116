import {
  type Db,
  dropOldReceipts,
  dropOldSlots,
  dropPartitionsBefore,
  ensurePartitions,
  purgeTenants,
  removeExpired,
  withSweepLock,
} from '@notify/db';
import type { Log } from '@notify/runtime';

export interface MaintenanceOptions {
  readonly db: Db;
  readonly log: Log;
  readonly messageRetentionDays: number;
  readonly deliveryRetentionDays: number;
  readonly idempotencyDays: number;
}

/** Makes partitions ahead of time, drops old ones, and removes keys, tokens, reports and tenants that are over. */
export async function maintain(options: MaintenanceOptions): Promise<void> {
  const { db, log, messageRetentionDays, deliveryRetentionDays, idempotencyDays } = options;
  await withSweepLock(db, 'maintenance', async () => {
    await ensurePartitions(db);
    const dropped = [
      ...(await dropPartitionsBefore(db, 'messages', messageRetentionDays)),
      ...(await dropPartitionsBefore(db, 'attempts', messageRetentionDays)),
      ...(await dropPartitionsBefore(db, 'events', deliveryRetentionDays)),
      ...(await dropPartitionsBefore(db, 'deliveries', deliveryRetentionDays)),
      ...(await dropPartitionsBefore(db, 'delivery_attempts', deliveryRetentionDays)),
    ];
    const receipts = await dropOldReceipts(db);
    await dropOldSlots(db);
    const removed = await removeExpired(db, { idempotencyDays });
    const purged = await purgeTenants(db);
    log.info({ dropped, receipts, ...removed, purged }, 'maintenance');
  });
}
