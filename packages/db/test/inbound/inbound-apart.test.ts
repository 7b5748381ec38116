import { inboundEventNames } from '@notify/core';
import { cancelMessage } from '@notify/db/messages';
import { applyReceipts, storeReceipts, takeReceipts } from '@notify/db/receipts';
import { disableWebhook, enableWebhook, replayBatch, startReplay } from '@notify/db/webhooks';
import { inboundAccountOf, inboundText, makeTenant, makeWebhook, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { readHistory } from '../../src/messages/history.ts';
import { message, send } from '../dispatching.ts';
import { storeInbound } from '../store-inbound.ts';

/* What changes a message that was sent leaves a message that a person wrote alone. */

async function world() {
  const test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const webhookId = await makeWebhook(test.db, tenant.tenantId);
  await sql`update webhooks set events = ${[...inboundEventNames]}`.execute(test.db);
  const receive = async (externalId = 'p-1') => {
    const { results } = await storeInbound(test.db, [inboundText(inboundAccountOf(tenant), { externalId })]);
    return 'messageId' in results[0]! ? results[0].messageId : '';
  };
  return { test, tenant, webhookId, receive };
}

test('no receipt changes it, by our id or by the provider’s, even if a message that was sent has the same one', async () => {
  const { test, tenant, receive } = await world();
  await using _ = test;
  const id = await receive();
  const before = await message(test.db, id);
  const of = { accountId: tenant.accountId, part: null, status: 'failed' as const };
  const receipts = [
    { ...of, messageId: id, externalId: null },
    { ...of, messageId: null, externalId: 'p-1' },
  ];
  const taken = await takeReceipts(test.db, receipts);
  expect(taken).toMatchObject({ applied: 0, webhooks: [] });
  expect((await applyReceipts(test.db, { kind: 'ids', ids: taken.stored })).applied).toBe(0);
  expect(await message(test.db, id)).toEqual(before);
  const [sent] = await send(test.db, tenant);
  await test.db.updateTable('messages').set({ external_id: 'p-2' }).where('id', '=', sent!).execute();
  const newer = await receive('p-2');
  const again = await takeReceipts(test.db, [
    { ...of, messageId: null, externalId: 'p-2', status: 'delivered' },
  ]);
  expect(again.applied).toBe(1);
  const stored = await storeReceipts(test.db, [
    { ...of, messageId: null, externalId: 'p-2', status: 'read' },
  ]);
  expect((await applyReceipts(test.db, { kind: 'ids', ids: stored })).applied).toBe(1);
  expect((await message(test.db, sent!)).read_at).not.toBeNull();
  expect((await message(test.db, newer)).read_at).toBeNull();
});

test('it cannot be canceled', async () => {
  const { test, tenant, receive } = await world();
  await using _ = test;
  const id = await receive();
  expect(await cancelMessage(test.db, tenant.tenantId, id)).toEqual({ kind: 'not-waiting' });
});

test('its history has its event and the deliveries of that', async () => {
  const { test, tenant, webhookId, receive } = await world();
  await using _ = test;
  const history = await readHistory(test.db, tenant.tenantId, await receive());
  expect(history).toMatchObject({
    message: { cancelable: false, next_attempt_at: null, account_name: 'test' },
    attempts: [],
    events: [{ event: 'message.received', sequence: 1 }],
    deliveries: [{ webhookId, event: 'message.received', state: 'waiting' }],
  });
});

test('a replay delivers the events that a webhook missed while it was disabled', async () => {
  const { test, tenant, webhookId, receive } = await world();
  await using _ = test;
  await disableWebhook(test.db, tenant.tenantId, webhookId);
  await receive();
  await storeInbound(test.db, [inboundText(inboundAccountOf(tenant), { body: { text: 'STOP' } })]);
  await enableWebhook(test.db, tenant.tenantId, webhookId);
  expect(await test.db.selectFrom('delivery_due').selectAll().execute()).toEqual([]);
  await startReplay(test.db, test.db, { tenantId: tenant.tenantId, webhookId, since: new Date(0) });
  expect(await replayBatch(test.db, webhookId)).toBe(3);
});
