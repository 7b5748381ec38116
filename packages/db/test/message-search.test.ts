import { randomUUID } from 'node:crypto';
import type { Channel, MessageStatus } from '@notify/core';
import { lowestIdAt } from '@notify/core';
import { type Db, openDb } from '@notify/db/connection';
import { type MessageFilter, type MessagePage, searchMessages } from '@notify/db/messages';
import { makeTenant, type TestDatabase, testDatabase, type TestTenant } from '@notify/testkit';
import { sql } from 'kysely';
import { send } from './dispatching.ts';

let database: TestDatabase;
let db: Db;
let tenant: TestTenant;
let stranger: TestTenant;

beforeAll(async () => {
  database = await testDatabase();
  db = openDb(database.url, { maxConnections: 1 });
  tenant = await makeTenant(db);
  stranger = await makeTenant(db);
  await fill();
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
    insert into messages (id, tenant_id, channel_account_id, channel, recipient, type, body, bulk, status, created_at,
      expires_at)
    select (lpad(to_hex(${begin}::bigint + n * ${everyMs}), 12, '0') || '7000' || lpad(to_hex(n + 1), 16, '0'))::uuid,
      case n % 2 when 0 then ${tenant.tenantId}::uuid else ${stranger.tenantId}::uuid end,
      case n % 4 when 0 then ${tenant.accountId}::uuid end,
      case n % 6 when 0 then 'whatsapp' else 'sms' end, '+1555' || (n / 2) % 10, 'text', '{"text":"x"}', false,
      case when n % 1000 = 0 then 'failed' else 'delivered' end,
      to_timestamp((${begin}::bigint + n * ${everyMs}) / 1000.0), now()
    from generate_series(0, ${count - 1}::int) as n`.execute(db);
}

interface Truth {
  id: string;
  channel: Channel;
  status: MessageStatus;
  account: string | null;
  to: string;
  at: Date;
}

/** Ids of the tenant's messages that fit, newest first, by reading them all. */
async function truth(fits: (row: Truth) => boolean): Promise<string[]> {
  const { rows } = await sql<Truth>`
    select id, channel, status, channel_account_id as account, recipient as to, created_at as at
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
  const impatient = openDb(database.url, { maxConnections: 1, statementTimeoutMs: 300 });
  let statements = 0;
  // The settings of the search come first, then its steps.
  const slowInItsSecondStep = impatient.withPlugin({
    transformQuery: ({ node }) =>
      (statements += 1) === 3 ? sql`select pg_sleep(60)`.toOperationNode() : node,
    transformResult: ({ result }) => Promise.resolve(result),
  });
  const asked = { tenantId: tenant.tenantId, limit: count, budgetMs: 60_000 };
  const page = await searchMessages(slowInItsSecondStep, { ...asked, filter: { recipients: ['nobody'] } });
  expect(statements).toBe(3);
  expect(page.messages).toEqual([]);
  const rest = await searchMessages(impatient, { ...asked, filter: {}, before: page.next! });
  expect(rest.messages).toHaveLength(count / 2 - 500);
  await impatient.destroy();
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
