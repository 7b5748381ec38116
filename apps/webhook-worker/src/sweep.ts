import { type Db, expireDeliveries, overdueWebhooks, withSweepLock } from '@notify/db';
import type { Waker } from '@notify/queue';
import type { Log } from '@notify/runtime';

/** What has been due for so long, in ms, has lost its wake. */
const overdueMs = 2_000;

/** Wakes every webhook whose wake was lost. One process at a time does; a wake too many is harmless. */
export async function sweepWebhooks(db: Db, waker: Waker): Promise<void> {
  await withSweepLock(db, 'webhooks', async () => {
    await waker.wakeMany('webhooks', await overdueWebhooks(db, overdueMs));
  });
}

/** Gives up what has waited too long for failing webhooks. One process at a time does. */
export async function sweepExpired(db: Db, log: Log): Promise<void> {
  await withSweepLock(db, 'expired-deliveries', async () => {
    const expired = await expireDeliveries(db);
    if (expired > 0) log.info({ expired }, 'deliveries expired');
  });
}
