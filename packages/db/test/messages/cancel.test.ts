import type { Db } from '@notify/db/connection';
import { settleMessages } from '@notify/db/dispatch';
import { cancelMessage } from '@notify/db/messages';
import { makeTenant, makeWebhook, type TestDatabase, testDatabase, type TestTenant } from '@notify/testkit';
import {
  accepted,
  claim,
  due,
  endLease,
  eventNames,
  message,
  send,
  settle,
  settlement,
  unknown,
} from '../dispatching.ts';

let database: TestDatabase;
let db: Db;
let tenant: TestTenant;
beforeEach(async () => {
  database = await testDatabase();
  db = database.db;
  tenant = await makeTenant(db);
});
afterEach(() => database[Symbol.asyncDispose]());

const notWaiting = { kind: 'not-waiting' };

test('a message that waits fails as canceled, is due no more, and webhooks hear of it', async () => {
  const webhookId = await makeWebhook(db, tenant.tenantId);
  const [id] = await send(db, tenant);
  const canceled = await cancelMessage(db, tenant.tenantId, id!);
  expect(canceled).toMatchObject({
    kind: 'canceled',
    webhooks: [{ id: webhookId, lane: 'fast' }],
    reached: [{ status: 'failed', errorCode: 'canceled' }],
  });
  expect(await message(db, id!)).toMatchObject({ status: 'failed', error_code: 'canceled', attempts: 0 });
  expect(await due(db, id!)).toBeUndefined();
  expect(await eventNames(db)).toEqual(['1 message.queued', '2 message.failed']);
  expect(await claim(db, tenant)).toEqual([]);
  expect(await cancelMessage(db, tenant.tenantId, id!)).toEqual(notWaiting);
});

test('another tenant’s is not canceled', async () => {
  const [id] = await send(db, tenant);
  const { tenantId } = await makeTenant(db);
  expect(await cancelMessage(db, tenantId, id!)).toEqual(notWaiting);
  expect((await message(db, id!)).status).toBe('queued');
});

test('one that is to be tried again, and certainly was not sent, is canceled', async () => {
  const [id] = await send(db, tenant);
  const [claimed] = await claim(db, tenant);
  const busy = { kind: 'retry', errorCode: 'busy', text: 'busy' } as const;
  await settle(db, claimed!, busy, { kind: 'retry', afterMs: 60_000 });
  expect((await cancelMessage(db, tenant.tenantId, id!)).kind).toBe('canceled');
});

test('one that is claimed is not canceled, not even when the lease has ended', async () => {
  const [id] = await send(db, tenant);
  await claim(db, tenant);
  expect(await cancelMessage(db, tenant.tenantId, id!)).toEqual(notWaiting);
  await endLease(db);
  expect(await cancelMessage(db, tenant.tenantId, id!)).toEqual(notWaiting);
});

test.each([
  ['awaits a receipt', unknown, { kind: 'await-receipt', afterMs: 60_000 }],
  [
    'is sent again after an unknown outcome',
    unknown,
    { kind: 'resend', afterMs: 60_000, possibleDuplicate: true },
  ],
  ['has sent its first part', accepted, { kind: 'next-part' }],
] as const)('one that %s may have arrived, and is not canceled', async (_what, outcome, decision) => {
  const [id] = await send(db, tenant);
  const [claimed] = await claim(db, tenant);
  await settleMessages(db, [{ ...settlement(claimed!, outcome, decision), parts: 2 }]);
  expect(await cancelMessage(db, tenant.tenantId, id!)).toEqual(notWaiting);
  expect((await message(db, id!)).status).toBe('queued');
});

test('however claims and cancels race, a message is claimed or canceled, never both and never neither', async () => {
  for (let round = 0; round < 20; round += 1) {
    const ids = await send(db, tenant, 10);
    const [canceled, ...claimed] = await Promise.all([
      Promise.all(ids.map(async (id) => [id, await cancelMessage(db, tenant.tenantId, id)] as const)),
      ...[1, 2, 3].map(() => claim(db, tenant, { limit: 4 })),
    ]);
    const gone = canceled.filter(([, { kind }]) => kind === 'canceled').map(([id]) => id);
    const held = [...claimed, await claim(db, tenant)].flat().map(({ messageId }) => messageId);
    expect([...gone, ...held].toSorted()).toEqual(ids.toSorted());
    const rows = await Promise.all(ids.map((id) => message(db, id)));
    expect(
      rows
        .filter(({ status }) => status === 'failed')
        .map(({ id }) => id)
        .toSorted(),
    ).toEqual(gone.toSorted());
  }
});
