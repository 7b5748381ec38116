import type { Db } from '@notify/db/connection';
import { withSweepLock } from '@notify/db/maintenance';
import { expireDeliveries, overdueWebhooks, replayBatch, replayingWebhooks } from '@notify/db/webhooks';
import type { Waker } from '@notify/queue';
import { type Log, reached } from '@notify/runtime';
import type { WakeOverdue } from '@notify/turns';

/** Work that has been due for this long, in ms, has lost its wake. */
const overdueMs = 2_000;

/** Wakes every webhook whose wake was lost. One process does it at a time. An extra wake is harmless. */
export async function sweepWebhooks(db: Db, wakeOverdue: WakeOverdue): Promise<void> {
  await withSweepLock(db, 'webhooks', async () => {
    const overdue = await overdueWebhooks(db, overdueMs);
    if (overdue.length > 0) reached('sweep-found');
    await wakeOverdue(overdue);
  });
}

/** Gives up deliveries that have waited too long for failing webhooks. One process does it at a time. */
export async function sweepExpired(db: Db, log: Log): Promise<void> {
  await withSweepLock(db, 'expired-deliveries', async () => {
    const expired = await expireDeliveries(db);
    if (expired > 0) log.tell('deliveries-expired', { expired });
  });
}

/** Runs one batch per replay and round, so that replays progress side by side, and wakes the webhooks with new work. */
export async function sweepReplays(db: Db, waker: Waker): Promise<void> {
  await withSweepLock(db, 'replays', async () => {
    for (const webhook of await replayingWebhooks(db))
      if ((await replayBatch(db, webhook.id)) > 0) await waker.wake('webhooks', webhook.lane, webhook.id);
  });
}
