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

/**
 * Makes partitions ahead of time, drops old ones, and removes keys, tokens, reports and tenants that are over. A step
 * that fails is logged, and the others are done all the same.
 */
export async function maintain(options: MaintenanceOptions): Promise<void> {
  const { db, log } = options;
  await withSweepLock(db, 'maintenance', async () => {
    const done: Record<string, unknown> = {};
    for (const [step, work] of Object.entries(steps)) {
      try {
        done[step] = await work(options);
      } catch (error) {
        log.error({ err: error, step }, 'maintenance step failed; it will be tried again');
      }
    }
    log.info(done, 'maintenance');
  });
}

const steps: Record<string, (options: MaintenanceOptions) => Promise<unknown>> = {
  partitions: ({ db }) => ensurePartitions(db),
  messages: ({ db, messageRetentionDays }) => dropPartitionsBefore(db, 'messages', messageRetentionDays),
  attempts: ({ db, messageRetentionDays }) => dropPartitionsBefore(db, 'attempts', messageRetentionDays),
  events: ({ db, deliveryRetentionDays }) => dropPartitionsBefore(db, 'events', deliveryRetentionDays),
  deliveries: ({ db, deliveryRetentionDays }) =>
    dropPartitionsBefore(db, 'deliveries', deliveryRetentionDays),
  deliveryAttempts: ({ db, deliveryRetentionDays }) =>
    dropPartitionsBefore(db, 'delivery_attempts', deliveryRetentionDays),
  receipts: ({ db }) => dropOldReceipts(db),
  slots: ({ db }) => dropOldSlots(db),
  expired: ({ db, idempotencyDays }) => removeExpired(db, { idempotencyDays }),
  purged: ({ db }) => purgeTenants(db),
};
