import type { Db } from '@notify/db/connection';
import { nextDue, overdueAccounts } from '@notify/db/dispatch';
import { holdSends, readHold, releaseSends } from '@notify/db/holds';
import { beginRounds, takeSample } from '@notify/db/operations';
import { nextDeliveries, overdueWebhooks } from '@notify/db/webhooks';
import { makeTenant, makeWebhook, type TestDatabase, testDatabase, type TestTenant } from '@notify/testkit';
import { claimAs } from '../attempts.ts';
import { claim, send } from '../dispatching.ts';

let database: TestDatabase;
let db: Db;
let tenant: TestTenant;
let webhookId: string;

beforeEach(async () => {
  database = await testDatabase();
  db = database.db;
  tenant = await makeTenant(db);
  webhookId = await makeWebhook(db, tenant.tenantId);
  await send(db, tenant, 2);
  await send(db, tenant, 1, true);
});
afterEach(() => database[Symbol.asyncDispose]());

const hold = () => holdSends(db, { acceptedBefore: new Date(), server: 'here' });

/** What may leave or is looked for, from every side that asks. */
async function seen(): Promise<object> {
  const { figures } = await takeSample(db, beginRounds());
  const dueOf = (lanes: readonly { readonly due: { readonly count: number } }[] = []): number =>
    lanes.reduce((sum, { due }) => sum + due.count, 0);
  return {
    nextDue: (await nextDue(db, [tenant.accountId])).length,
    overdue: (await overdueAccounts(db, 0)).length,
    nextDeliveries: (await nextDeliveries(db, [webhookId])).length,
    overdueWebhooks: (await overdueWebhooks(db, 0)).length,
    dueMessages: dueOf(figures.messages?.lanes),
    dueDeliveries: dueOf(figures.deliveries?.lanes),
    isHeld: (figures.sendsHeldMs ?? 0) > 0,
    messages: (await claim(db, tenant)).length,
    deliveries: (await claimAs(db, webhookId)).length,
  };
}

test('while sends are held, no message and no delivery is claimed or looked for; afterwards all are', async () => {
  await hold();
  expect(await seen()).toEqual({
    nextDue: 0,
    overdue: 0,
    nextDeliveries: 0,
    overdueWebhooks: 0,
    dueMessages: 0,
    dueDeliveries: 0,
    isHeld: true,
    messages: 0,
    deliveries: 0,
  });
  expect(await releaseSends(db)).toBe(true);
  expect(await seen()).toEqual({
    nextDue: 1,
    overdue: 1,
    nextDeliveries: 1,
    overdueWebhooks: 1,
    dueMessages: 3,
    dueDeliveries: 3,
    isHeld: false,
    messages: 3,
    deliveries: 3,
  });
});

test('a paced account is held, too', async () => {
  await db.updateTable('channel_accounts').set({ per_second: 100 }).execute();
  await hold();
  expect(await claim(db, tenant)).toEqual([]);
  await releaseSends(db);
  expect((await claim(db, tenant)).length).toBeGreaterThan(0);
});

test('a removed account and a disabled webhook are still cleared', async () => {
  await hold();
  await db.updateTable('channel_accounts').set({ deleted_at: new Date() }).execute();
  await db.updateTable('webhooks').set({ is_active: false }).execute();
  expect(await seen()).toMatchObject({ nextDue: 1, overdue: 1, nextDeliveries: 1, overdueWebhooks: 1 });
});

test('a hold keeps its beginning, and ends once', async () => {
  expect(await readHold(db)).toBeNull();
  await hold();
  const first = await readHold(db);
  const acceptedBefore = new Date('2026-01-31T12:00:00Z');
  await holdSends(db, { acceptedBefore, server: 'there' });
  expect(await readHold(db)).toEqual({ since: first!.since, acceptedBefore, server: 'there' });
  expect([await releaseSends(db), await releaseSends(db)]).toEqual([true, false]);
});
