import { type Db, overdueWebhooks, withSweepLock } from '@notify/db';
import type { Waker } from '@notify/queue';

/** What has been due for so long, in ms, has lost its wake. */
const overdueMs = 2_000;

/** Wakes every webhook whose wake was lost. One process at a time does; a wake too many is harmless. */
export async function sweepWebhooks(db: Db, waker: Waker): Promise<void> {
  await withSweepLock(db, 'webhooks', async () => {
    await waker.wakeMany('webhooks', await overdueWebhooks(db, overdueMs));
  });
}
