import type { Db } from '@notify/db/connection';
import { withSweepLock } from '@notify/db/maintenance';
import { expireDeliveries, overdueWebhooks, replayBatch, replayingWebhooks } from '@notify/db/webhooks';
import type { Waker } from '@notify/queue';
import { type Log, reached } from '@notify/runtime';

/** What has been due for so long, in ms, has lost its wake. */
const overdueMs = 2_000;

/** Wakes every webhook whose wake was lost. One process at a time does; a wake too many is harmless. */
export async function sweepWebhooks(db: Db, waker: Waker): Promise<void> {
  await withSweepLock(db, 'webhooks', async () => {
    const overdue = await overdueWebhooks(db, overdueMs);
    if (overdue.length > 0) reached('sweep-found');
    await waker.wakeMany('webhooks', overdue);
  });
}

/** Gives up what has waited too long for failing webhooks. One process at a time does. */
export async function sweepExpired(db: Db, log: Log): Promise<void> {
  await withSweepLock(db, 'expired-deliveries', async () => {
    const expired = await expireDeliveries(db);
    if (expired > 0) log.info({ expired }, 'deliveries expired');
  });
}

/** Goes on with every replay by one batch, so that none waits for another's end, and wakes whom that concerns. */
export async function sweepReplays(db: Db, waker: Waker): Promise<void> {
  await withSweepLock(db, 'replays', async () => {
    for (const webhook of await replayingWebhooks(db))
      if ((await replayBatch(db, webhook.id)) > 0) await waker.wake('webhooks', webhook.lane, webhook.id);
  });
}
