import { randomUUIDv7 } from 'node:crypto';
import { lowestIdAt, timeOfId } from '@notify/core';
import type { Db } from '@notify/db/connection';
import {
  createPairing,
  findConversation,
  listConversations,
  markRead,
  readThread,
  writtenToTell,
} from '@notify/db/conversations';

import {
  inboundAccountOf,
  inboundText,
  makeTenant,
  type TestDatabase,
  testDatabase,
  type TestTenant,
} from '@notify/testkit';
import { sql } from 'kysely';
import { storeInbound } from '../store-inbound.ts';

let database: TestDatabase;
let db: Db;
let tenant: TestTenant;
beforeEach(async () => {
  database = await testDatabase();
  ({ db } = database);
  tenant = await makeTenant(db);
});
afterEach(() => database[Symbol.asyncDispose]());

/** Stores texts from these people, one after the other. Returns the ids of the messages. */
async function write(from: readonly string[], to: TestTenant = tenant): Promise<string[]> {
  const ids: string[] = [];
  for (const one of from) {
    const { results } = await storeInbound(db, [inboundText(inboundAccountOf(to), { from: one })]);
    ids.push((results[0] as { messageId: string }).messageId);
  }
  return ids;
}

const [ada, bob, cem] = ['+15550001001', '+15550001002', '+15550001003'] as const;

/** Addresses on each page, read to the end. */
async function pages(filter: { channel?: 'sms' | 'telegram'; accountId?: string }, limit: number) {
  const all: string[][] = [];
  for (let before: string | undefined; ;) {
    const { tenantId } = tenant;
    const page = await listConversations(db, { tenantId, ...filter, limit, before });
    all.push(page.conversations.map(({ address }) => address));
    if (page.next === null) return all;
    before = page.next;
  }
}

async function conversationOf(address: string) {
  const { conversations } = await listConversations(db, { tenantId: tenant.tenantId, limit: 100 });
  return conversations.find((one) => one.address === address)!;
}

test('the list has the newest message first, page by page, and ends', async () => {
  await write([ada, bob, cem, ada]);
  expect(await pages({}, 2)).toEqual([[ada, cem], [bob]]);
  expect(await pages({}, 3)).toEqual([[ada, cem, bob]]);
  expect(await pages({ accountId: tenant.accountId }, 1)).toEqual([[ada], [cem], [bob]]);
});

test('a filter finds the conversations of a channel or an account only, also of a removed one', async () => {
  await write([ada]);
  const { id: accountId } = await db
    .insertInto('channel_accounts')
    .values({
      id: sql`uuidv7()`,
      tenant_id: tenant.tenantId,
      channel: 'telegram',
      provider: 'sandbox',
      name: 'two',
      is_default: false,
      settings: '{}',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const account = inboundAccountOf({ ...tenant, accountId }, 'telegram');
  await storeInbound(db, [inboundText(account, { from: '4711' })]);
  expect(await pages({ channel: 'telegram' }, 5)).toEqual([['4711']]);
  expect(await pages({ channel: 'sms' }, 5)).toEqual([[ada]]);
  await sql`update channel_accounts set deleted_at = now() where id = ${accountId}`.execute(db);
  expect(await pages({ accountId }, 5)).toEqual([['4711']]);
  expect(await pages({ accountId, channel: 'sms' }, 5)).toEqual([[]]);
});

test('a range of time has the conversations whose newest message is in it, also page by page and with the other filters', async () => {
  const ids = await write([ada, bob, cem, ada]);
  const { tenantId, accountId } = tenant;
  const hours = async (address: string, count: number) => {
    const at = new Date(timeOfId(ids[0]!) - count * 3_600_000);
    await sql`update conversations set latest_id = ${lowestIdAt(at)} where address = ${address}`.execute(db);
    return at;
  };
  const [bobAt, cemAt] = [await hours(bob, 2), await hours(cem, 1)];
  for (const more of [{}, { accountId }, { unread: true }, { search: '+1555' }]) {
    const found = async (times: { from?: Date; until?: Date; before?: string; limit?: number }) => {
      const page = await listConversations(db, { tenantId, limit: 5, ...more, ...times });
      return page.conversations.map(({ address }) => address);
    };
    expect(await found({ from: cemAt })).toEqual([ada, cem]);
    expect(await found({ until: cemAt })).toEqual([bob]);
    expect(await found({ from: bobAt, until: cemAt })).toEqual([bob]);
    expect(await found({ from: bobAt, before: ids[0]! })).toEqual([cem, bob]);
    expect(await found({ until: new Date(-1) })).toEqual([]);
    const first = await listConversations(db, { tenantId, limit: 1, ...more, from: cemAt });
    expect(await found({ from: cemAt, before: first.next!, limit: 1 })).toEqual([cem]);
    const rest = await listConversations(db, {
      tenantId,
      limit: 1,
      ...more,
      from: cemAt,
      before: first.next!,
    });
    expect(rest.next).toBeNull();
  }
});

test('a search finds a part of the name, the username or the address, in any case', async () => {
  await write([ada, bob, cem]);
  const profile = (address: string, value: object) =>
    sql`update conversations set profile = ${JSON.stringify(value)}::json where address = ${address}`.execute(
      db,
    );
  await profile(ada, { name: 'Ada ÅSTRÖM', username: 'a_lovelace' });
  await profile(bob, { name: '100% Bob' });
  const found = async (search: string) => {
    const page = await listConversations(db, { tenantId: tenant.tenantId, search, limit: 5 });
    return page.conversations.map(({ address }) => address);
  };
  for (const part of ['åström', 'ADA', '@A_Love', 'lovelace', '1001', '+1 (555) 000-1001'])
    expect([part, await found(part)]).toEqual([part, [ada]]);
  for (const part of ['0% b', '%']) expect([part, await found(part)]).toEqual([part, [bob]]);
  for (const part of ['@', '_bob', 'dave']) expect([part, await found(part)]).toEqual([part, []]);
  expect(await found('+1555')).toEqual([cem, bob, ada]);
});

test('a page of unread ones looks through 1,000, and the next one goes on behind them', async () => {
  await write([ada, bob]);
  const { tenantId, accountId } = tenant;
  await sql`
    insert into conversations (id, tenant_id, account_id, channel, contact, address, latest_id)
    select uuidv7(), ${tenantId}, ${accountId}, 'sms', '1666' || n, '+1666' || n, uuidv7()
    from generate_series(10000, 10999) n`.execute(db);
  const one = await listConversations(db, { tenantId, unread: true, limit: 1 });
  expect(one).toEqual({ conversations: [], next: expect.any(String) });
  const two = await listConversations(db, { tenantId, unread: true, limit: 1, before: one.next! });
  expect(two).toMatchObject({ conversations: [{ address: bob, unread: 1 }], next: expect.any(String) });
  const three = await listConversations(db, { tenantId, unread: true, limit: 1, before: two.next! });
  expect(three).toMatchObject({ conversations: [{ address: ada }], next: null });
  expect((await listConversations(db, { tenantId, unread: false, limit: 5 })).conversations).toHaveLength(5);
});

test('nothing of another tenant is found, not even by its ids', async () => {
  const stranger = await makeTenant(db);
  const [messageId] = await write([ada]);
  const { id } = await conversationOf(ada);
  const { tenantId } = stranger;
  const { accountId } = tenant;
  expect(await listConversations(db, { tenantId, limit: 5 })).toEqual({ conversations: [], next: null });
  expect((await listConversations(db, { tenantId, accountId, limit: 5 })).conversations).toEqual([]);
  expect(await findConversation(db, tenantId, id)).toBeNull();
  expect(await readThread(db, { tenantId, accountIds: null, conversationId: id, limit: 5 })).toBeNull();
  expect(await markRead(db, { tenantId, accountIds: null, conversationId: id, messageId: messageId! })).toBe(
    'no-conversation',
  );
  expect((await conversationOf(ada)).unread).toBe(1);
});

test('unread counts what came after the read message, at most 100', async () => {
  const ids = await write([ada, ada, bob, ada]);
  const { tenantId } = tenant;
  const { id: conversationId } = await conversationOf(ada);
  const read = async (messageId: string | null) => {
    const marked = await markRead(db, { tenantId, accountIds: null, conversationId, messageId });
    return typeof marked === 'string' ? marked : [marked.before, marked.through];
  };
  const unread = async () => (await conversationOf(ada)).unread;
  expect(await unread()).toBe(3);
  expect(await read(ids[1]!)).toEqual([null, ids[1]]);
  expect(await unread()).toBe(1);
  expect(await read(ids[0]!)).toEqual([ids[1], ids[0]]);
  expect(await unread()).toBe(1);
  expect(await read(ids[2]!)).toBe('no-message');
  expect(await read(null)).toEqual([ids[1], ids[3]]);
  expect(await unread()).toBe(0);
  const many = Array.from({ length: 101 }, () => inboundText(inboundAccountOf(tenant), { from: ada }));
  await storeInbound(db, many);
  expect(await unread()).toBe(100);
});

test('the writer is told of what is newly read, or of the newest message, but of no reaction', async () => {
  const ids = await write([ada, ada, bob, ada]);
  const { tenantId } = tenant;
  const { id: conversationId } = await conversationOf(ada);
  const { rows } = await sql<{ id: string; external: string }>`
    select id, external_id as external from messages where tenant_id = ${tenantId}::uuid`.execute(db);
  const external = (id: string | undefined) => rows.find((row) => row.id === id)!.external;
  const told = async (after: string | null, through: string | null) =>
    (await writtenToTell(db, { tenantId, conversationId, after, through })).map(
      ({ externalId }) => externalId,
    );
  const [first, second, , last] = ids;
  expect(await told(null, null)).toEqual([last, second, first].map(external));
  expect(await told(first!, last!)).toEqual([last, second].map(external));
  expect(await told(null, second!)).toEqual([second, first].map(external));
  expect(await told(last!, second!)).toEqual([external(second)]);
  await sql`update messages set type = 'reaction' where id = ${last!}::uuid`.execute(db);
  expect(await told(second!, null)).toEqual([external(second)]);
});

test('a caller for other accounts neither lists, reads nor marks', async () => {
  await write([ada]);
  const { tenantId, accountId } = tenant;
  const { id: conversationId } = await conversationOf(ada);
  const mark = { tenantId, conversationId, messageId: null };
  for (const [accountIds, count] of [
    [[accountId], 1],
    [[randomUUIDv7()], 0],
    [[], 0],
  ] as const) {
    const { conversations } = await listConversations(db, { tenantId, accountIds, limit: 5 });
    const { conversations: unread } = await listConversations(db, {
      tenantId,
      accountIds,
      unread: true,
      limit: 5,
    });
    const thread = await readThread(db, { tenantId, conversationId, accountIds, limit: 5 });
    expect([conversations.length, unread.length, thread?.messages.length ?? 0]).toEqual([
      count,
      count,
      count,
    ]);
  }
  expect(await markRead(db, { ...mark, accountIds: [randomUUIDv7()] })).toBe('no-conversation');
  expect((await conversationOf(ada)).unread).toBe(1);
  expect(await markRead(db, { ...mark, accountIds: [accountId] })).toMatchObject({ kind: 'marked' });
});

test('a thread has the messages of its conversation, newest first, page by page', async () => {
  const ids = await write([ada, bob, ada, ada]);
  const { id: conversationId, last_message_id: last } = await conversationOf(ada);
  const { tenantId } = tenant;
  expect(last).toBe(ids[3]);
  const first = await readThread(db, { tenantId, accountIds: null, conversationId, limit: 2 });
  expect(first).toMatchObject({ messages: [{ id: ids[3] }, { id: ids[2] }], next: ids[2] });
  const rest = await readThread(db, {
    tenantId,
    accountIds: null,
    conversationId,
    limit: 2,
    before: first!.next!,
  });
  expect(rest).toMatchObject({ messages: [{ id: ids[0] }], next: null });
});

test('a contact that only paired has a conversation without messages, which can be read', async () => {
  const { tenantId, accountId } = tenant;
  const payload = 'x'.repeat(32);
  const expiresAt = await createPairing(db, {
    tenantId,
    accountId,
    payload,
    reference: 'r',
    expiresInSeconds: 60,
  });
  expect(expiresAt!.getTime() - Date.now()).toBeGreaterThan(50_000);
  const { rows } = await sql<{ row: string }>`select pairings::text as row from pairings`.execute(db);
  expect(rows[0]!.row).not.toContain(payload);
  const { results } = await storeInbound(db, [
    inboundText(inboundAccountOf(tenant), { from: ada, pairing: payload }),
  ]);
  expect(results).toEqual([{ kind: 'paired' }]);
  const conversation = await conversationOf(ada);
  expect(conversation).toMatchObject({ unread: 0, last_message_id: null });
  const mark = { tenantId, accountIds: null, conversationId: conversation.id, messageId: null };
  expect(await markRead(db, mark)).toEqual({ kind: 'marked', through: null, before: null });
  expect(
    await readThread(db, { tenantId, accountIds: null, conversationId: conversation.id, limit: 5 }),
  ).toEqual({
    messages: [],
    next: null,
  });
});
