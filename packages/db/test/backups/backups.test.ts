import { type Inspection, inspect } from '@notify/db/backups';
import type { Db } from '@notify/db/connection';
import { makeTenant, makeWebhook, type TestDatabase, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { accepted, claim, send, settle } from '../dispatching.ts';

let database: TestDatabase;
let db: Db;
beforeEach(async () => {
  database = await testDatabase();
  db = database.db;
});
afterEach(() => database[Symbol.asyncDispose]());

const brokenOf = ({ checks }: Inspection) =>
  Object.fromEntries(
    checks.map(({ name, looked }) => [name, looked.kind === 'found' ? looked.found.broken : looked]),
  );

const sound = {
  'due-message-exists': 0,
  'due-account-exists': 0,
  'queued-message-is-due': 0,
  'key-has-message': 0,
  'event-has-message': 0,
  'due-delivery-has-event': 0,
  'due-delivery-has-webhook': 0,
};

async function makeTraffic(): Promise<string[]> {
  const tenant = await makeTenant(db);
  await makeWebhook(db, tenant.tenantId);
  const ids = await send(db, tenant, 5);
  const [claimed] = await claim(db, tenant);
  await settle(db, claimed!, accepted, { kind: 'sent' });
  return ids;
}

test('a sound database is found sound, counted, and dated', async () => {
  await makeTraffic();
  const seen = await inspect(db);
  expect(brokenOf(seen)).toEqual(sound);
  expect(seen.server).toMatchObject({ kind: 'found', found: { isInRecovery: false, collation: null } });
  expect(seen.schema).toMatchObject({
    kind: 'found',
    found: {
      pending: [],
      tooNew: null,
      invalidIndexes: [],
      tablesWithoutKey: [],
      uncheckedConstraints: [],
      sequencesBehind: [],
    },
  });
  const { rows, ages } = seen;
  if (rows.kind !== 'found' || ages.kind !== 'found') throw new Error('nothing was counted');
  expect(rows.found).toContainEqual({ table: 'messages', count: 5, isEstimate: false });
  expect(ages.found).toMatchObject({ newestMessage: expect.any(Date), newestAttempt: expect.any(Date) });
  expect(ages.found.dueMessages + 1).toBe(5);
});

test('large tables are estimated, also before the first analyze', async () => {
  await sql`alter table idempotency_keys set (autovacuum_enabled = off)`.execute(db);
  await sql`insert into idempotency_keys (tenant_id, key, request_hash, message_id, account_id)
    select uuidv7(), n::text, '\\x00', uuidv7(), uuidv7() from generate_series(1, 20000) n`.execute(db);
  const { rows, checks } = await inspect(db);
  if (rows.kind !== 'found') throw new Error('nothing was counted');
  const { count, isEstimate } = rows.found.find(({ table }) => table === 'idempotency_keys')!;
  expect(isEstimate).toBe(true);
  expect(count).toBeGreaterThan(10_000);
  expect(count).toBeLessThan(40_000);
  const { looked } = checks.find(({ name }) => name === 'key-has-message')!;
  expect(looked).toMatchObject({ kind: 'found', found: { example: expect.any(String) } });
});

test.each([
  ['due-message-exists', sql`delete from messages where status = 'queued'`, 4],
  ['due-account-exists', sql`delete from channel_accounts`, 4],
  ['queued-message-is-due', sql`delete from dispatch_due`, 4],
  ['event-has-message', sql`delete from messages where status = 'sent'`, 2],
  ['due-delivery-has-event', sql`delete from events where event = 'message.sent'`, 1],
  ['due-delivery-has-webhook', sql`delete from webhooks`, 6],
] as const)('%s finds what is missing', async (name, harm, count) => {
  await makeTraffic();
  await harm.execute(db);
  expect(brokenOf(await inspect(db))).toMatchObject({ [name]: count });
});

test('rows of a deleted tenant, which are being removed, are no fault', async () => {
  await makeTraffic();
  await sql`insert into tenant_purges (tenant_id) select id from tenants`.execute(db);
  await sql`delete from messages`.execute(db);
  expect(brokenOf(await inspect(db))).toEqual(sound);
});

test('what an interrupted or partial restore leaves behind is named', async () => {
  await sql`insert into kysely_migration (name, timestamp) values ('9999_of_tomorrow', '')`.execute(db);
  await sql`alter table webhooks drop constraint webhooks_pkey cascade`.execute(db);
  await sql`create table some_numbers (id bigint generated always as identity primary key)`.execute(db);
  await sql`insert into some_numbers (id) overriding system value values (7)`.execute(db);
  await sql`alter table tenants add constraint named check (name <> '') not valid`.execute(db);
  await sql`create table twice (n integer primary key, m integer)`.execute(db);
  await sql`insert into twice values (1, 1), (2, 1)`.execute(db);
  await expect(sql`create unique index concurrently twice_m on twice (m)`.execute(db)).rejects.toThrow(
    'could not create unique index',
  );
  const { schema } = await inspect(db);
  expect(schema).toMatchObject({
    kind: 'found',
    found: {
      tooNew: expect.stringContaining('since migration 9999_of_tomorrow it needs a newer version'),
      tablesWithoutKey: ['webhooks'],
      sequencesBehind: ['some_numbers.id'],
      uncheckedConstraints: ['named of tenants'],
      invalidIndexes: ['twice_m'],
    },
  });
});

test('a database of an older version is looked at as far as its schema goes', async () => {
  await sql`delete from kysely_migration where name like '0029%'`.execute(db);
  await sql`drop table processes`.execute(db);
  const seen = await inspect(db);
  expect(seen.lastHeartbeat).toEqual({ kind: 'older-schema' });
  expect(seen.schema).toMatchObject({ found: { pending: [expect.stringMatching(/^0029/)] } });
  expect(brokenOf(seen)).toEqual(sound);
});
