import type { Db } from '@notify/db/connection';
import { acceptMessages } from '@notify/db/messages';
import { storeReceived } from '@notify/db/inbound';
import {
  inboundAccountOf,
  inboundText,
  makeTenant,
  testDatabase,
  type TestTenant,
  textItem,
} from '@notify/testkit';
import type { AcceptItem } from '@notify/db/messages';
import { findQuotables } from '../../src/messages/look-up.ts';
import { claim, rules } from '../dispatching.ts';
import { storeInbound } from '../store-inbound.ts';

async function receive(db: Db, ...items: Parameters<typeof inboundText>[]): Promise<string[]> {
  const { results } = await storeInbound(
    db,
    items.map(([account, changes]) => inboundText(account, changes)),
  );
  return results.map((result) => ('messageId' in result ? result.messageId : result.kind));
}

async function send(db: Db, tenant: TestTenant, changes: Partial<AcceptItem> = {}): Promise<string> {
  const { results } = await acceptMessages(db, [textItem(tenant, changes)], rules);
  const [result] = results;
  if (result === undefined || !('message' in result)) throw new Error(`refused: ${result?.kind}`);
  return result.message.id;
}

function conversations(db: Db) {
  return db.selectFrom('conversations').selectAll().orderBy('id').execute();
}

async function threadOf(db: Db, conversationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('conversation_messages')
    .selectAll()
    .where('conversation_id', '=', conversationId)
    .orderBy('message_id')
    .execute();
  return rows.map((row) => `${row.inbound ? 'from' : 'to'} ${row.message_id}`);
}

test('a send joins the conversation of its account and contact, and no other', async () => {
  await using test = await testDatabase();
  const [tenant, stranger] = [await makeTenant(test.db), await makeTenant(test.db)];
  const [asked] = await receive(test.db, [inboundAccountOf(tenant)]);
  const answer = await send(test.db, tenant, { to: '+15550001000' });
  await send(test.db, tenant, { to: '+15550002000' });
  await send(test.db, stranger, { to: '+15550001000' });
  const found = await conversations(test.db);
  expect(found).toMatchObject([{ account_id: tenant.accountId, latest_id: answer }]);
  expect(await threadOf(test.db, found[0]!.id)).toEqual([`from ${asked}`, `to ${answer}`]);
});

test('a batch of sends to a few contacts adds each message once, and the newest is the latest of its conversation', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const account = inboundAccountOf(tenant);
  const people = ['+15550001000', '+15550002000', '+15550003000'];
  await receive(test.db, ...people.map((from) => [account, { from }] as [typeof account, { from: string }]));
  const items = Array.from({ length: 30 }, (_, index) =>
    textItem(tenant, { to: people[index % 3]!, bulk: true }),
  );
  const { results } = await acceptMessages(test.db, items, rules);
  const ids = results.map((result) => ('message' in result ? result.message.id : ''));
  for (const { id, address, latest_id: latest } of await conversations(test.db)) {
    const own = ids.filter((_, index) => items[index]!.to === address);
    expect((await threadOf(test.db, id)).filter((one) => one.startsWith('to'))).toEqual(
      own.map((one) => `to ${one}`),
    );
    expect(latest).toBe(own.at(-1));
  }
});

test('an answer is told apart by the ids that the provider gave, in either direction and within the account', async () => {
  await using test = await testDatabase();
  const [tenant, stranger] = [await makeTenant(test.db), await makeTenant(test.db)];
  const account = inboundAccountOf(tenant);
  const sent = await send(test.db, tenant, { to: '+15550001000' });
  await test.db.updateTable('messages').set({ external_id: 'ours' }).where('id', '=', sent).execute();
  const [first] = await receive(test.db, [account, { externalId: 'theirs', replyTo: 'ours' }]);
  const rest = await receive(
    test.db,
    [account, { replyTo: 'theirs' }],
    [account, { replyTo: 'nobody knows' }],
    [inboundAccountOf(stranger), { replyTo: 'ours' }],
    [account, { externalId: 'in-batch' }],
    [account, { replyTo: 'in-batch' }],
  );
  const replies = await test.db
    .selectFrom('messages')
    .select(['id', 'reply_to'])
    .where('id', 'in', [first!, ...rest])
    .orderBy('id')
    .execute();
  expect(replies.map((row) => row.reply_to)).toEqual([sent, first, null, null, null, rest[3]]);
});

test('where an id is good for one chat only, an answer is to a message of that chat', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const account = inboundAccountOf(tenant);
  const people = ['+15550001000', '+15550002000'];
  const sent = [
    await send(test.db, tenant, { to: people[0]! }),
    await send(test.db, tenant, { to: people[1]! }),
  ];
  await test.db.updateTable('messages').set({ external_id: '17' }).execute();
  const ids = await receive(
    test.db,
    ...people.map((from) => [account, { from, replyTo: '17' }] as Parameters<typeof inboundText>),
  );
  const replies = await test.db
    .selectFrom('messages')
    .select('reply_to')
    .where('id', 'in', ids)
    .orderBy('id')
    .execute();
  expect(replies.map((row) => row.reply_to)).toEqual(sent);
});

test('a batch leaves the newest message and the last known name in the conversation', async () => {
  await using test = await testDatabase();
  const account = inboundAccountOf(await makeTenant(test.db));
  const [, named, nameless] = await receive(
    test.db,
    [account, { contact: { name: 'Ada' } }],
    [account, { contact: { name: 'Ada L.' } }],
    [account, {}],
  );
  expect(named).not.toBe(nameless);
  expect(await conversations(test.db)).toMatchObject([{ latest_id: nameless, profile: { name: 'Ada L.' } }]);
});

test('a claim brings what the provider must know of the quoted message', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const account = inboundAccountOf(tenant);
  const photo = { type: 'image', caption: 'Look', filename: null, mimeType: null, bytes: null } as const;
  const [text, image] = await receive(
    test.db,
    [account, { externalId: 'a', body: { text: 'Well?' } }],
    [account, { externalId: 'b', type: 'image', body: photo }],
  );
  const unsent = await send(test.db, tenant, { to: '+15550001000' });
  for (const replyTo of [text!, image!, unsent]) await send(test.db, tenant, { to: '+15550001000', replyTo });
  const claims = await claim(test.db, tenant);
  expect(claims.map((one) => one.replyTo)).toEqual([
    null,
    { externalId: 'a', isInbound: true, text: 'Well?', threadId: null },
    { externalId: 'b', isInbound: true, text: 'Look', threadId: null },
    null,
  ]);
});

test('who may be quoted is found by tenant', async () => {
  await using test = await testDatabase();
  const [tenant, stranger] = [await makeTenant(test.db), await makeTenant(test.db)];
  const [asked] = await receive(test.db, [inboundAccountOf(tenant)]);
  const answer = await send(test.db, tenant, { to: '+15550001000' });
  const quotable = { accountId: tenant.accountId, channel: 'sms', isOfRecipient: true };
  const to = '15550001000';
  const lookUps = [
    { tenantId: tenant.tenantId, messageId: asked!, to },
    { tenantId: stranger.tenantId, messageId: asked!, to },
    { tenantId: tenant.tenantId, messageId: answer, to },
    { tenantId: tenant.tenantId, messageId: asked!, to: '+15550002000' },
  ];
  expect(await findQuotables(test.db, lookUps)).toEqual([
    quotable,
    null,
    quotable,
    { ...quotable, isOfRecipient: false },
  ]);
});

test('a message from before a move may be quoted under either address, also once the old one has a new owner', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db, { channel: 'whatsapp' });
  const account = inboundAccountOf(tenant, 'whatsapp');
  const [old, next] = ['+15550001000', '+15550002000'];
  const [asked] = await receive(test.db, [account, { from: old }]);
  const fits = async (to: string) => {
    const [found] = await findQuotables(test.db, [{ tenantId: tenant.tenantId, messageId: asked!, to }]);
    return found!.isOfRecipient;
  };
  expect(await fits(next)).toBe(false);
  await storeReceived(test.db, { inbound: [], moved: [{ account, from: old, to: next }], consents: [] });
  expect([await fits(next), await fits(old)]).toEqual([true, true]);
  await receive(test.db, [account, { from: old, sentAt: new Date(Date.now() + 60_000) }]);
  expect(await fits(next)).toBe(true);
  expect([await fits('+15550003000'), await fits('\u0000')]).toEqual([false, false]);
});

test('a group with a new address keeps its conversation, and sends to the old address go to the new one', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db, { channel: 'telegram' });
  const account = inboundAccountOf(tenant, 'telegram');
  const move = (from: string, to: string) =>
    storeReceived(test.db, { inbound: [], moved: [{ account, from, to }], consents: [] });
  const [first] = await receive(test.db, [account, { from: '-10' }]);
  // A message under the new address may be stored before the news of it.
  const [second] = await receive(test.db, [account, { from: '-20' }]);
  await move('-10', '-20');
  await move('-10', '-20');
  const third = await send(test.db, tenant, { channel: 'telegram', to: '-10' });
  const found = await conversations(test.db);
  expect(found).toMatchObject([{ contact: '-20', address: '-20', latest_id: third }]);
  expect(await threadOf(test.db, found[0]!.id)).toEqual([`from ${first}`, `from ${second}`, `to ${third}`]);
  await move('-20', '-30');
  await send(test.db, tenant, { channel: 'telegram', to: '-20' });
  expect((await claim(test.db, tenant)).map((one) => one.to)).toEqual(['-30', '-30']);
  expect(await conversations(test.db)).toMatchObject([{ contact: '-30' }]);
});

test('sends to the old number of a person reach the new one, with its consent, until somebody else has the old one', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db, { channel: 'whatsapp' });
  const account = inboundAccountOf(tenant, 'whatsapp');
  const [old, next] = ['+15550001000', '+15550002000'];
  const sendTo = (to: string) => send(test.db, tenant, { channel: 'whatsapp', to });
  await receive(test.db, [account, { from: old }]);
  await storeReceived(test.db, { inbound: [], moved: [{ account, from: old, to: next }], consents: [] });
  const sent = await sendTo(old);
  expect(await claim(test.db, tenant)).toMatchObject([{ to: next, state: 'call' }]);
  // A message from before the move belongs to the same person.
  await receive(test.db, [account, { from: old, sentAt: new Date(0) }]);
  const [conversation] = await conversations(test.db);
  expect(conversation).toMatchObject({ contact: '15550002000', address: next });
  expect(await threadOf(test.db, conversation!.id)).toContain(`to ${sent}`);
  await receive(test.db, [account, { from: next, body: { text: 'STOP' } }]);
  await sendTo(old);
  expect((await claim(test.db, tenant)).map((one) => one.state)).toEqual(['opted-out']);
  await receive(test.db, [account, { from: old, sentAt: new Date(Date.now() + 60_000) }]);
  expect((await conversations(test.db)).map((one) => one.address)).toEqual([next, old]);
  await sendTo(old);
  expect(await claim(test.db, tenant)).toMatchObject([{ to: old, state: 'call' }]);
});
