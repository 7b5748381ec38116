import type { Wake } from '@notify/core';
import { acceptMessages } from '@notify/db/messages';
import { createReceipts } from '@notify/dispatch';
import type { Waker } from '@notify/queue';
import { createLog } from '@notify/runtime';
import { makeTenant, testDatabase, textItem } from '@notify/testkit';
import { sql } from 'kysely';
import { openOverdueWakes, sweepDispatch } from '../src/sweep.ts';

test('the sweep wakes accounts with overdue messages, except those with a turn in this process', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const [busy, forgotten] = [await makeTenant(db), await makeTenant(db)];
  await acceptMessages(db, [textItem(busy), textItem(forgotten)], {
    idempotencyDays: 7,
    blockExpiredTrials: false,
  });
  await sql`update dispatch_due set due_at = now() - interval '1 minute'`.execute(db);
  const woken: string[] = [];
  const waker = {
    wakeMany: async (_kind: string, wakes: readonly Wake[]) => void woken.push(...wakes.map(({ id }) => id)),
  } as unknown as Waker;
  const log = createLog({ logLevel: 'silent' }, 'test');
  const wakeWebhooks = (): void => undefined;
  const wakeGroups = (): void => undefined;
  const receipts = createReceipts({ db, log, wakeWebhooks, wakeGroups });
  await sweepDispatch({
    db,
    waker,
    log,
    wakeWebhooks,
    wakeGroups,
    receipts,
    wakeOverdue: openOverdueWakes(waker, log),
    hasTurn: (accountId) => accountId === busy.accountId,
  });
  receipts.close();
  expect(woken).toEqual([forgotten.accountId]);
});
