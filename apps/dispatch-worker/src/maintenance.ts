import type { Db } from '@notify/db/connection';
import { dropPastTimes } from '@notify/db/dispatch';
import {
  dropPartitionsBefore,
  ensurePartitions,
  purgeTenants,
  removeExpired,
  removeOldGroups,
  removeOldInbound,
  removeOldUsage,
  removeOldVerifications,
  withSweepLock,
} from '@notify/db/maintenance';
import { dropOldReceipts } from '@notify/db/receipts';
import type { Log } from '@notify/runtime';
import { metrics } from '@notify/telemetry';

export interface MaintenanceOptions {
  readonly db: Db;
  readonly log: Log;
  readonly messageRetentionDays: number;
  readonly deliveryRetentionDays: number;
  readonly idempotencyDays: number;
  /** Fires when the process ends. Then no further step begins, and the connections may close at any time. */
  readonly ending: AbortSignal;
}

/**
 * Makes partitions ahead of time, drops old ones, and removes expired keys and tokens, old receipts, old conversations
 * and deleted tenants. A failed step is logged, and the other steps still run.
 */
export async function maintain(options: MaintenanceOptions): Promise<void> {
  const { db, ending } = options;
  try {
    await withSweepLock(db, 'maintenance', () => takeSteps(options));
  } catch (error) {
    if (!ending.aborted) throw error;
  }
}

async function takeSteps(options: MaintenanceOptions): Promise<void> {
  const { log, ending } = options;
  const done: Record<string, unknown> = {};
  for (const [step, work] of Object.entries(steps)) {
    if (ending.aborted) return;
    try {
      done[step] = await work(options);
    } catch (error) {
      if (!ending.aborted) log.tell('maintenance-step-failed', { err: error, step });
    }
  }
  log.tell('maintenance', { steps: done });
}

const steps: Record<string, (options: MaintenanceOptions) => Promise<unknown>> = {
  partitions: ({ db }) => ensurePartitions(db),
  messages: ({ db, messageRetentionDays }) => dropPartitionsBefore(db, 'messages', messageRetentionDays),
  attempts: ({ db, messageRetentionDays }) => dropPartitionsBefore(db, 'attempts', messageRetentionDays),
  threads: ({ db, messageRetentionDays }) =>
    dropPartitionsBefore(db, 'conversation_messages', messageRetentionDays),
  tags: ({ db, messageRetentionDays }) => dropPartitionsBefore(db, 'message_tags', messageRetentionDays),
  inbound: ({ db, messageRetentionDays }) => removeOldInbound(db, messageRetentionDays),
  events: ({ db, deliveryRetentionDays }) => dropPartitionsBefore(db, 'events', deliveryRetentionDays),
  deliveries: ({ db, deliveryRetentionDays }) =>
    dropPartitionsBefore(db, 'deliveries', deliveryRetentionDays),
  deliveryAttempts: ({ db, deliveryRetentionDays }) =>
    dropPartitionsBefore(db, 'delivery_attempts', deliveryRetentionDays),
  deliveryPacks: ({ db, deliveryRetentionDays }) =>
    dropPartitionsBefore(db, 'delivery_packs', deliveryRetentionDays),
  groups: ({ db, messageRetentionDays }) => removeOldGroups(db, messageRetentionDays),
  usage: ({ db, messageRetentionDays }) => removeOldUsage(db, messageRetentionDays),
  verifications: ({ db, messageRetentionDays }) => removeOldVerifications(db, messageRetentionDays),
  receipts: async ({ db }) => {
    const orphaned = await dropOldReceipts(db);
    metrics.receipts.inc({ result: 'orphaned' }, orphaned);
    return orphaned;
  },
  recipientTimes: ({ db }) => dropPastTimes(db),
  expired: ({ db, idempotencyDays }) => removeExpired(db, { idempotencyDays }),
  purged: ({ db }) => purgeTenants(db),
};
