import { inboundEventNames } from '@notify/core';
import type { Db } from '@notify/db/connection';

import { inboundAccountOf, inboundText, makeTenant, makeWebhook, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { storeInbound } from '../store-inbound.ts';

/** The stored id of the first result. */
function idOf({ results }: Awaited<ReturnType<typeof storeInbound>>, index = 0): string {
  const result = results[index]!;
  if (!('messageId' in result)) throw new Error(`no message: ${result.kind}`);
  return result.messageId;
}

async function eventBodies(db: Db): Promise<Record<string, unknown>[]> {
  const rows = await db.selectFrom('events').select('body').orderBy('id').execute();
  return rows.map((row) => JSON.parse(row.body) as Record<string, unknown>);
}

test('a message is stored with its conversation, one event and a delivery for each webhook that names the event', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const asking = await makeWebhook(test.db, tenant.tenantId);
  await makeWebhook(test.db, tenant.tenantId);
  await sql`update webhooks set events = ${[...inboundEventNames]} where id = ${asking}`.execute(test.db);
  const account = inboundAccountOf(tenant);
  const sentAt = new Date('2026-01-02T03:04:05.000Z');
  const stored = await storeInbound(test.db, [
    inboundText(account, { externalId: 'p-1', sentAt, contact: { name: 'Ada' } }),
  ]);
  expect(stored).toEqual({
    results: [{ kind: 'stored', messageId: expect.any(String) }],
    webhooks: [{ id: asking, lane: 'fast' }],
  });
  const id = idOf(stored);
  expect(await test.db.selectFrom('messages').selectAll().execute()).toMatchObject([
    {
      id,
      tenant_id: tenant.tenantId,
      channel_account_id: tenant.accountId,
      recipient: '+15550009000',
      sender: '+15550001000',
      status: 'delivered',
      emitted: ['received'],
      sent_at: sentAt,
      external_id: 'p-1',
      contact: { name: 'Ada' },
      body: { text: 'hi' },
      reply_to: null,
      attempts: 0,
    },
  ]);
  const [conversation] = await test.db.selectFrom('conversations').selectAll().execute();
  expect(conversation).toMatchObject({
    account_id: tenant.accountId,
    contact: '15550001000',
    address: '+15550001000',
    latest_id: id,
    last_inbound_at: sentAt,
    profile: { name: 'Ada' },
  });
  expect(await test.db.selectFrom('conversation_messages').selectAll().execute()).toEqual([
    { conversation_id: conversation!.id, message_id: id, inbound: true },
  ]);
  expect(await eventBodies(test.db)).toMatchObject([
    {
      event: 'message.received',
      messageId: `msg_${id}`,
      direction: 'inbound',
      from: '+15550001000',
      to: '+15550009000',
      body: { text: 'hi' },
      contact: { name: 'Ada' },
      replyTo: null,
      sequence: 1,
    },
  ]);
  const deliveries = await test.db.selectFrom('delivery_due').select('webhook_id').execute();
  expect(deliveries).toEqual([{ webhook_id: asking }]);
  expect(await test.db.selectFrom('dispatch_due').selectAll().execute()).toEqual([]);
});

test('a repeated message is stored once, in one batch or in two, and keeps its id', async () => {
  await using test = await testDatabase();
  const account = inboundAccountOf(await makeTenant(test.db));
  const [one, other] = [
    inboundText(account, { externalId: 'a' }),
    inboundText(account, { externalId: 'b', body: { text: 'other' } }),
  ];
  const first = await storeInbound(test.db, [one, other, one]);
  expect(first.results.map(({ kind }) => kind)).toEqual(['stored', 'stored', 'repeated']);
  expect(idOf(first, 2)).toBe(idOf(first));
  const second = await storeInbound(test.db, [other, one]);
  expect(second).toEqual({
    results: [
      { kind: 'repeated', messageId: idOf(first, 1) },
      { kind: 'repeated', messageId: idOf(first) },
    ],
    webhooks: [],
  });
  expect(await eventBodies(test.db)).toHaveLength(2);
});

test('the same message on two connections at once is one message, and the later one gets its id', async () => {
  await using test = await testDatabase();
  const account = inboundAccountOf(await makeTenant(test.db));
  const same = Array.from({ length: 8 }, () => [
    inboundText(account, { externalId: 'z' }),
    inboundText(account, { externalId: 'a' }),
  ]);
  const stored = await Promise.all(
    same.map((pair, index) => storeInbound(test.db, index % 2 === 0 ? pair : pair.toReversed())),
  );
  expect(stored.flatMap(({ results }) => results).filter(({ kind }) => kind === 'stored')).toHaveLength(2);
  expect(new Set(stored.map((batch, index) => idOf(batch, index % 2))).size).toBe(1);
  expect(await eventBodies(test.db)).toHaveLength(2);
});

test('the same id at another account is another message', async () => {
  await using test = await testDatabase();
  const accounts = [await makeTenant(test.db), await makeTenant(test.db)].map((one) => inboundAccountOf(one));
  const { results } = await storeInbound(
    test.db,
    accounts.map((account) => inboundText(account, { externalId: 'same' })),
  );
  expect(results.map(({ kind }) => kind)).toEqual(['stored', 'stored']);
  expect(await test.db.selectFrom('conversations').selectAll().execute()).toHaveLength(2);
});

test('a word of the account, or the judgement of the provider, changes the consent of its writer in the same commit', async () => {
  await using test = await testDatabase();
  const account = inboundAccountOf(await makeTenant(test.db));
  const suppressed = () => test.db.selectFrom('suppressions').select('recipient').execute();
  const stop = inboundText(account, { body: { text: ' stop. ' } });
  const { results } = await storeInbound(test.db, [stop]);
  expect(await suppressed()).toEqual([{ recipient: '15550001000' }]);
  const [change] = await test.db.selectFrom('consent_changes').selectAll().execute();
  expect(change).toMatchObject({ status: 'opted-out', source: 'keyword' });
  expect(results).toEqual([{ kind: 'stored', messageId: change!.message_id }]);
  await storeInbound(test.db, [inboundText(account, { body: { text: 'well' }, consent: 'opted-in' })]);
  expect(await suppressed()).toEqual([]);
  await storeInbound(test.db, [stop]);
  expect(await suppressed()).toEqual([]);
  expect((await eventBodies(test.db)).map(({ event }) => event)).toEqual([
    'message.received',
    'contact.opted-out',
    'message.received',
    'contact.opted-in',
  ]);
});

test('a stop word that was written before a start word, but arrives after it, opts nobody out', async () => {
  await using test = await testDatabase();
  const account = inboundAccountOf(await makeTenant(test.db));
  const word = (text: string, second: number) =>
    inboundText(account, { body: { text }, sentAt: new Date(1_000_000 + second * 1_000) });
  const suppressed = () => test.db.selectFrom('suppressions').select('recipient').execute();
  await storeInbound(test.db, [word('START', 2)]);
  await storeInbound(test.db, [word('STOP', 1)]);
  expect(await suppressed()).toEqual([]);
  expect(await test.db.selectFrom('consents').selectAll().execute()).toEqual([]);
  await storeInbound(test.db, [word('START', 5), word('STOP', 4)]);
  expect(await suppressed()).toEqual([]);
  await storeInbound(test.db, [word('no, wait', 7), word('STOP', 6)]);
  expect(await suppressed()).toEqual([{ recipient: '15550001000' }]);
});
