import { randomUUID } from 'node:crypto';
import type { Channel, MessageStatus } from '@notify/core';
import { lowestIdAt } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { type MessageFilter, searchMessages } from '@notify/db/messages';
import { makeTenant, openTestDb, type TestDatabase, testDatabase, type TestTenant } from '@notify/testkit';
import { sql } from 'kysely';
import type { MessagePage } from '../../src/messages/search.ts';
import { send } from '../dispatching.ts';

let database: TestDatabase;
let db: Db;
let tenant: TestTenant;
let stranger: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  db = openTestDb(database.url, { maxConnections: 1 });
  tenant = await makeTenant(db);
  stranger = await makeTenant(db);
  await fill();
  await giveNames();
});
afterAll(async () => {
  await db.destroy();
  await database[Symbol.asyncDispose]();
});

const count = 6_000;
const begin = Date.UTC(2026, 0, 1);
const everyMs = 1_000;

/** A message a second of either tenant, alternately, in some variety; half lie in the default partition. */
async function fill(): Promise<void> {
  await sql`
    insert into messages (id, tenant_id, channel_account_id, external_id, channel, recipient, type, body, bulk, status,
      error_code, created_at, expires_at)
    select (lpad(to_hex(${begin}::bigint + n * ${everyMs}), 12, '0') || '7000' || lpad(to_hex(n + 1), 16, '0'))::uuid,
      case n % 2 when 0 then ${tenant.tenantId}::uuid else ${stranger.tenantId}::uuid end,
      case n % 4 when 0 then ${tenant.accountId}::uuid when 1 then ${stranger.accountId}::uuid end,
      case when n % 4 < 2 then 'ext-' || n / 8 end,
      case n % 6 when 0 then 'whatsapp' else 'sms' end, '+1555' || (n / 2) % 10, 'text', '{"text":"x"}', false,
      case when n % 1000 < 2 then 'failed' else 'delivered' end,
      case when n % 1000 < 2 then case when n % 3000 < 2 then 'expired' else 'unreachable' end end,
      to_timestamp((${begin}::bigint + n * ${everyMs}) / 1000.0), now()
    from generate_series(0, ${count - 1}::int) as n`.execute(db);
}

/** The id of the `n`-th message: the tenant has the even ones. */
const idOf = (n: number) => {
  const hex =
    (begin + n * everyMs).toString(16).padStart(12, '0') + '7000' + (n + 1).toString(16).padStart(16, '0');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
};
const groupIds = [randomUUID(), randomUUID()] as const;
const routes = [[10, 500, 4_000], [11]] as const;

/** Gives each of the two a group, and a request with the same key; and the tenant's group a key as well. */
async function giveNames(): Promise<void> {
  for (const [at, { tenantId, accountId }] of [tenant, stranger].entries()) {
    const ids = routes[at]!.map(idOf);
    await sql`
      insert into message_groups (id, tenant_id, routes, message_ids, advance_after, route_ends_at, expires_at, ended_at)
      values (${groupIds[at]!}::uuid, ${tenantId}::uuid, '[]', ${ids}::uuid[], 60, now(), now(), now())`.execute(
      db,
    );
    await sql`update messages set group_id = ${groupIds[at]!}::uuid where id = any (${ids}::uuid[])`.execute(
      db,
    );
    await sql`
      insert into idempotency_keys (tenant_id, key, request_hash, message_id, account_id)
      select ${tenantId}::uuid, key, '', message_id, ${accountId}::uuid
      from unnest(array['order-1', 'of-group'], ${[idOf(20 + at), ids[0]]}::uuid[]) as known (key, message_id)`.execute(
      db,
    );
  }
}

interface Truth {
  id: string;
  channel: Channel;
  status: MessageStatus;
  code: string | null;
  externalId: string | null;
  account: string | null;
  to: string;
  at: Date;
}

/** Ids of the tenant's messages that fit, newest first, by reading them all. */
async function truth(fits: (row: Truth) => boolean): Promise<string[]> {
  const { rows } = await sql<Truth>`
    select id, channel, status, error_code as code, external_id as "externalId", channel_account_id as account, recipient as to, created_at as at
    from messages where tenant_id = ${tenant.tenantId} order by id desc`.execute(db);
  return rows.filter(fits).map(({ id }) => id);
}

function search(filter: MessageFilter, changes: object = {}): Promise<MessagePage> {
  return searchMessages(db, { tenantId: tenant.tenantId, filter, limit: 100, budgetMs: 60_000, ...changes });
}

async function allPages(filter: MessageFilter, changes: object = {}): Promise<string[]> {
  const ids: string[] = [];
  let before: string | undefined;
  for (;;) {
    const page = await search(filter, { before, ...changes });
    ids.push(...page.messages.map(({ id }) => id));
    if (page.next === null) return ids;
    before = page.next;
  }
}

const at = (second: number) => new Date(begin + second * everyMs);

const filters: readonly (readonly [string, MessageFilter, (row: Truth) => boolean])[] = [
  ['nothing', {}, () => true],
  ['a channel', { channel: 'whatsapp' }, ({ channel }) => channel === 'whatsapp'],
  ['a status that few have', { status: 'failed' }, ({ status }) => status === 'failed'],
  ['a recipient', { recipients: ['+15553', '15553'] }, ({ to }) => to === '+15553'],
  ['a time', { from: at(100), until: at(300) }, (row) => row.at >= at(100) && row.at < at(300)],
  [
    'all of them',
    { channel: 'whatsapp', status: 'failed', recipients: ['+15550'], from: at(1), until: at(5_000) },
    (row) =>
      row.channel === 'whatsapp' &&
      row.status === 'failed' &&
      row.to === '+15550' &&
      row.at >= at(1) &&
      row.at < at(5_000),
  ],
  ['a code that few have', { errorCode: 'expired' }, ({ code }) => code === 'expired'],
  [
    'a code and more',
    { errorCode: 'unreachable', channel: 'sms', from: at(1_500), until: at(5_500) },
    (row) => row.code === 'unreachable' && row.channel === 'sms' && row.at >= at(1_500) && row.at < at(5_500),
  ],
  ['a code that nothing has', { errorCode: 'canceled' }, () => false],
  ['the id of the provider', { externalId: 'ext-7' }, ({ externalId }) => externalId === 'ext-7'],
  ['an id of another account', { externalId: 'ext-7', accountId: randomUUID() }, () => false],
  ['a group', { groupId: groupIds[0] }, ({ id }) => routes[0].map(idOf).includes(id)],
  [
    'a group and a time',
    { groupId: groupIds[0], until: at(4_000) },
    ({ id }) => [10, 500].map(idOf).includes(id),
  ],
  ['the group of another tenant', { groupId: groupIds[1] }, () => false],
  ['an idempotency key', { idempotencyKey: 'order-1' }, ({ id }) => id === idOf(20)],
  [
    'the idempotency key of a group',
    { idempotencyKey: 'of-group' },
    ({ id }) => routes[0].map(idOf).includes(id),
  ],
  ['an unknown idempotency key', { idempotencyKey: 'order-2' }, () => false],
  [
    'two names of one message',
    { groupId: groupIds[0], externalId: 'ext-500' },
    ({ id }) => id === idOf(4_000),
  ],
  ['names of different messages', { idempotencyKey: 'order-1', groupId: groupIds[0] }, () => false],
  ['what nothing has', { recipients: ['nobody'] }, () => false],
];

test.each(filters)('pages by %s hold all that fits, newest first, once each', async (_what, filter, fits) => {
  expect(await allPages(filter)).toEqual(await truth(fits));
});

test('pages by an account hold what was to go by it', async () => {
  const expected = await truth(({ account }) => account === tenant.accountId);
  expect(expected).toHaveLength(count / 4);
  expect(await allPages({ accountId: tenant.accountId })).toEqual(expected);
  expect(await allPages({ accountId: randomUUID() })).toEqual([]);
});

test('a search whose time is up says where it goes on, and misses nothing', async () => {
  const first = await search({ status: 'failed' }, { budgetMs: 0 });
  expect(first.messages.length).toBeLessThan(6);
  expect(first.next).not.toBeNull();
  expect(await allPages({ status: 'failed' }, { budgetMs: 0 })).toEqual(
    await truth(({ status }) => status === 'failed'),
  );
});

test('a step that takes too long ends the search, not its answer', async () => {
  let statements = 0;
  // The settings of the search come first, then its steps. The server ends the second step, as it does when its time is up.
  const endedInItsSecondStep = db.withPlugin({
    transformQuery: ({ node }) =>
      (statements += 1) === 3
        ? sql`select pg_cancel_backend(pg_backend_pid()), pg_sleep(60)`.toOperationNode()
        : node,
    transformResult: ({ result }) => Promise.resolve(result),
  });
  const asked = { tenantId: tenant.tenantId, limit: count, budgetMs: 60_000 };
  const page = await searchMessages(endedInItsSecondStep, { ...asked, filter: { recipients: ['nobody'] } });
  expect(statements).toBe(3);
  expect(page.messages).toEqual([]);
  const rest = await searchMessages(db, { ...asked, filter: {}, before: page.next! });
  expect(rest.messages).toHaveLength(count / 2 - 500);
});

test('the last page has no next, also when it is full', async () => {
  const page = await search({ from: at(0), until: at(20) }, { limit: 10 });
  expect(page.messages).toHaveLength(10);
  expect(page.next).toBeNull();
});

test('a page without a filter reads about as many rows as it shows, however many others there are', async () => {
  const before = await rowsRead();
  const { messages } = await search({}, { limit: 50 });
  expect(messages).toHaveLength(50);
  expect((await rowsRead()) - before).toBeLessThan(500);
});

test('a search that finds nothing reads each of the tenant’s messages once, and nobody else’s', async () => {
  await sql`analyze`.execute(db);
  const before = await rowsRead();
  expect(await search({ recipients: ['nobody'] })).toEqual({ messages: [], next: null });
  expect((await rowsRead()) - before).toBeLessThan((count / 2) * 1.2);
});

test.each<[string, MessageFilter]>([
  ['code', { errorCode: 'expired' }],
  ['code that nothing has', { errorCode: 'canceled' }],
  ['provider’s id', { externalId: 'ext-7' }],
  ['group', { groupId: groupIds[0] }],
  ['idempotency key', { idempotencyKey: 'order-1' }],
])('a search by %s reads few rows beside those that it finds', async (_what, filter) => {
  const before = await rowsRead();
  const { next } = await search(filter);
  expect(next).toBeNull();
  expect((await rowsRead()) - before).toBeLessThan(50);
});

test('pages by a name continue where the one before ended', async () => {
  const expected = routes[0].map(idOf).toReversed();
  expect(await allPages({ groupId: groupIds[0] }, { limit: 1 })).toEqual(expected);
  expect(await allPages({ errorCode: 'unreachable' }, { limit: 1, budgetMs: 0 })).toEqual(
    await truth(({ code }) => code === 'unreachable'),
  );
});

test('what was just accepted is on the first page', async () => {
  const [id] = await send(db, tenant);
  const { messages } = await search({ from: new Date(Date.now() - 60_000) });
  expect(messages.map((one) => one.id)).toEqual([id]);
});

test('a place that no id of ours has is a place all the same', async () => {
  expect((await search({}, { before: lowestIdAt(new Date(0)) })).messages).toEqual([]);
  const everything = await search({}, { before: 'ffffffff-ffff-ffff-ffff-ffffffffffff', limit: 1 });
  expect(everything.messages).toHaveLength(1);
});

/** Rows and index entries of messages that were read so far. */
async function rowsRead(): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ read: number }>`
    select sum(t.seq_tup_read + coalesce(i.read, 0))::int as read from pg_stat_user_tables t
    left join (select relid, sum(idx_tup_read) as read from pg_stat_user_indexes group by 1) i using (relid)
    where t.relname like 'messages%'`.execute(db);
  return rows[0]!.read;
}
