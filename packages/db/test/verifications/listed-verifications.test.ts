import type { Db } from '@notify/db/connection';
import { searchGroups } from '@notify/db/groups';
import { searchVerifications } from '@notify/db/verifications';
import { makeTenant, openTestDb, type TestDatabase, testDatabase, type TestTenant } from '@notify/testkit';
import { sql } from 'kysely';
import type { GroupSearch } from '../../src/groups/search.ts';
import type { VerificationSearch } from '../../src/verifications/search.ts';
import { sendGroup, textGroup } from '../groups/grouping.ts';
import { check, started, wrongCode } from './verifying.ts';

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
});
afterAll(async () => {
  await db.destroy();
  await database[Symbol.asyncDispose]();
});

const count = 6_000;
const begin = Date.UTC(2026, 0, 1);
const at = (second: number) => new Date(begin + second * 1_000);

/** A verification and a group a second, of either tenant alternately. Of 1,000 verifications one failed, and of 1,000 groups. */
async function fill(): Promise<void> {
  const idOf = (kind: number) =>
    sql`(lpad(to_hex(${begin}::bigint + n * 1000), 12, '0') || ${`7${kind}00`}::text || lpad(to_hex(n + 1), 16, '0'))::uuid`;
  const owner = sql`case n % 2 when 0 then ${tenant.tenantId}::uuid else ${stranger.tenantId}::uuid end`;
  const created = sql`to_timestamp((${begin}::bigint + n * 1000) / 1000.0)`;
  const status = (usual: string) => sql`case when n % 1000 = 0 then 'failed' else ${usual} end`;
  const to = sql`'+1555' || (n / 2) % 10`;
  await sql`
    insert into verifications (id, tenant_id, recipient, shown_recipient, prefix, account_ids, group_id, status, sandbox,
      key_version, created_at, expires_at)
    select ${idOf(0)}, ${owner}, ${to}, ${to}, '+1', '{}', ${idOf(1)}, ${status('approved')}, false, 1, ${created}, ${created}
    from generate_series(0, ${count - 1}::int) as n`.execute(db);
  // Those of the verifications, and among them a few that were sent as groups.
  await sql`
    insert into message_groups (id, tenant_id, routes, message_ids, status, quiet, advance_after, route_ends_at, expires_at,
      created_at, ended_at)
    select case kind when 1 then ${idOf(1)} else ${idOf(2)} end, ${owner},
      json_build_array(json_build_object('channel', 'sms', 'to', ${to}, 'type', 'text', 'body', json_build_object('text', 'x'),
        'accountId', ${tenant.accountId}::text)),
      '{}', ${status('delivered')}, kind = 1, 60, ${created}, ${created}, ${created}, ${created}
    from generate_series(0, ${count - 1}::int) as n cross join generate_series(1, 2) as kind
    where kind = 1 or n % 100 = 0`.execute(db);
  await sql`analyze`.execute(db);
}

const search = (filter: VerificationSearch['filter'], changes: object = {}) =>
  searchVerifications(db, { tenantId: tenant.tenantId, filter, limit: 100, budgetMs: 60_000, ...changes });
const groupsBy = (filter: GroupSearch['filter'], changes: object = {}) =>
  searchGroups(db, { tenantId: tenant.tenantId, filter, limit: 100, budgetMs: 60_000, ...changes });

/** All ids of a search, by its pages. */
async function allPages(
  page: (
    before: string | undefined,
  ) => Promise<{ readonly ids: readonly string[]; readonly next: string | null }>,
): Promise<string[]> {
  const all: string[] = [];
  for (let before: string | undefined; ;) {
    const { ids, next } = await page(before);
    all.push(...ids);
    if (next === null) return all;
    before = next;
  }
}

const verificationsBy = (filter: VerificationSearch['filter'], changes: object = {}) =>
  allPages(async (before) => {
    const { verifications, next } = await search(filter, { before, ...changes });
    return { ids: verifications.map(({ id }) => id), next };
  });

/** Ids of the tenant's rows of a table that fit, newest first. */
async function truth(table: string, fits: ReturnType<typeof sql>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where tenant_id = ${tenant.tenantId} and ${fits} order by id desc`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

const ofVerifications: readonly (readonly [string, VerificationSearch['filter'], ReturnType<typeof sql>])[] =
  [
    ['nothing', {}, sql`true`],
    ['a status that few have', { status: 'failed' }, sql`status = 'failed'`],
    ['a recipient', { recipients: ['+15553', '15553'] }, sql`recipient = '+15553'`],
    ['a time', { from: at(100), until: at(300) }, sql`created_at >= ${at(100)} and created_at < ${at(300)}`],
    [
      'all of them',
      { status: 'failed', recipients: ['+15550'], from: at(1), until: at(5_000) },
      sql`status = 'failed' and recipient = '+15550' and created_at >= ${at(1)} and created_at < ${at(5_000)}`,
    ],
    ['what nothing has', { recipients: ['nobody'] }, sql`false`],
  ];

test.each(ofVerifications)(
  'pages of verifications by %s hold all that fits, newest first, once each',
  async (_, filter, fits) => {
    expect(await verificationsBy(filter)).toEqual(await truth('verifications', fits));
  },
);

test.each([
  ['nothing', {}, sql`true`],
  ['a status', { status: 'failed' }, sql`status = 'failed'`],
  ['a recipient', { recipients: ['+15550', '15550'] }, sql`routes ->0 ->> 'to' = '+15550'`],
  ['a time', { from: at(100), until: at(300) }, sql`created_at >= ${at(100)} and created_at < ${at(300)}`],
  ['what nothing has', { recipients: ['nobody'] }, sql`false`],
] as const)(
  'pages of groups by %s hold all that fits and was sent as a group',
  async (_, filter: GroupSearch['filter'], fits) => {
    const found = await allPages(async (before) => {
      const { groups, next } = await groupsBy(filter, { before, limit: 7 });
      return { ids: groups.map(({ id }) => id), next };
    });
    expect(found).toEqual(await truth('message_groups', sql`not quiet and ${fits}`));
  },
);

test('a search whose time is up says where it goes on, and misses nothing', async () => {
  const first = await search({ status: 'failed' }, { budgetMs: 0 });
  expect(first.verifications.length).toBeLessThan(3);
  expect(first.next).not.toBeNull();
  expect(await verificationsBy({ status: 'failed' }, { budgetMs: 0 })).toEqual(
    await truth('verifications', sql`status = 'failed'`),
  );
});

test('a page reads about as many rows as it shows, however many others there are', async () => {
  const pages = [
    ['verifications', () => search({}, { limit: 20 })],
    ['verifications', () => search({ from: at(0) }, { limit: 20 })],
    // Those of one recipient are 300 here.
    ['verifications', () => search({ recipients: ['+15553'] }, { limit: 20 })],
    ['message_groups', () => groupsBy({}, { limit: 20 })],
    ['message_groups', () => groupsBy({ recipients: ['nobody'] })],
  ] as const;
  for (const [table, page] of pages) {
    const before = await rowsRead(table);
    await page();
    expect((await rowsRead(table)) - before).toBeLessThan(800);
  }
});

test('one that has expired is listed as such before any sweep, with its tries', async () => {
  const id = await started(db, tenant);
  await check(db, tenant, id, wrongCode);
  expect((await search({ status: 'pending' })).verifications).toMatchObject([
    { id, tries: 1, endedAt: null },
  ]);
  await sql`update verifications set expires_at = now() where id = ${id}`.execute(db);
  const { verifications } = await search({ status: 'expired' });
  expect(verifications).toMatchObject([{ id, status: 'expired', endedAt: expect.any(Date) }]);
  expect((await search({ status: 'pending' })).verifications).toEqual([]);
});

test('a group is listed with its routes, without their contents', async () => {
  const { groupId, messageId } = await sendGroup(db, textGroup(tenant, 2));
  const [group] = (await groupsBy({ status: 'pending', recipients: ['+15550002001'] })).groups;
  expect(group).toMatchObject({ id: groupId, message_ids: [messageId], ended_at: null });
  expect(group?.routes).toEqual(
    [0, 1].map((route) => ({
      channel: 'sms',
      to: `+1555000200${route}`,
      type: 'text',
      accountId: tenant.accountId,
    })),
  );
});

/** Rows and index entries of a table that were read so far. */
async function rowsRead(table: string): Promise<number> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ read: number }>`
    select (t.seq_tup_read + i.read)::int as read from pg_stat_user_tables t
    join (select relid, sum(idx_tup_read) as read from pg_stat_user_indexes group by 1) i using (relid)
    where t.relname = ${table}`.execute(db);
  return rows[0]!.read;
}
