import { type Db, failExpired, overdueAccounts, type Wake, withSweepLock } from '@notify/db';
import type { Waker } from '@notify/queue';
import type { Log } from '@notify/runtime';
import { joinAllDue } from './receipts.ts';

export interface SweepDeps {
  readonly db: Db;
  readonly waker: Waker;
  readonly log: Log;
  readonly wakeWebhooks: (webhooks: readonly Wake[]) => void;
}

/** What has been due for so long, in ms, has lost its wake. */
const overdueMs = 2_000;
const expiredAtOnce = 500;

/** Does what no turn may have been told of: expired messages, receipts that were left over, accounts whose wake was lost. */
export async function sweepDispatch(deps: SweepDeps): Promise<void> {
  await withSweepLock(deps.db, 'dispatch', async () => {
    await failAllExpired(deps);
    await joinAllDue(deps.db, deps.wakeWebhooks);
    await deps.waker.wakeMany('dispatch', await overdueAccounts(deps.db, overdueMs));
  });
}

async function failAllExpired({ db, wakeWebhooks }: SweepDeps): Promise<void> {
  for (;;) {
    const { count, webhooks } = await failExpired(db, expiredAtOnce);
    wakeWebhooks(webhooks);
    if (count < expiredAtOnce) return;
  }
}
