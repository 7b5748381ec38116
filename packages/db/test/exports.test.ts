import { makeTenant, type TestDatabase, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { exportQueries, exportTenant } from '../src/exports/export-tenant.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

/** Tables with rows of tenants that no export reads, and why. */
const notExported: Readonly<Record<string, string>> = {
  dispatch_due: 'its messages are exported',
  scheduled_messages: 'its messages are exported',
  group_due: 'its groups are exported',
  event_secrets: 'secrets only',
  one_time_links: 'hashes only',
  pairings: 'links that work for minutes, as hashes',
  tenant_purges: 'deleted tenants',
  webhook_older_secrets: 'secrets only',
};

test('every table with rows of tenants is exported, or it is known why not', async () => {
  const { rows } = await sql<{ name: string }>`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where a.attname = 'tenant_id' and c.relkind in ('r', 'p') and not c.relispartition
      and c.relnamespace = 'public'::regnamespace`.execute(database.db);
  const texts = Object.values(exportQueries).map(
    (select) => select(crypto.randomUUID()).compile(database.db).sql,
  );
  const read = new Set(
    texts.flatMap((text) => Array.from(text.matchAll(/(?:from|join) (\w+)/g), ([, name]) => name!)),
  );
  const names = rows.map(({ name }) => name);
  expect(names.filter((name) => !read.has(name) && !(name in notExported))).toEqual([]);
  expect(Object.keys(notExported).filter((name) => !names.includes(name) || read.has(name))).toEqual([]);
});

test('no export reads a column that holds a secret', () => {
  for (const [kind, select] of Object.entries(exportQueries))
    expect([kind, select(crypto.randomUUID()).compile(database.db).sql]).toEqual([
      kind,
      expect.not.stringMatching(/hash|secret|sealed|settings|salt|creds|data_key|\*/),
    ]);
});

test('rows of every kind come in steps of one snapshot', async () => {
  const { tenantId, accountId } = await makeTenant(database.db);
  await sql`
    insert into events (id, tenant_id, message_id, event, sequence, body, occurred_at)
    select uuidv7(), ${tenantId}::uuid, null, 'webhook.test', null, '{}', now() from generate_series(1, 1200)`.execute(
    database.db,
  );
  const steps: number[] = [];
  const accounts: object[] = [];
  const counts = await exportTenant(database.db, tenantId, async (kind, rows) => {
    // What is added meanwhile shows in no later kind.
    if (kind === 'accounts')
      await sql`
        insert into events (id, tenant_id, message_id, event, sequence, body, occurred_at)
        values (uuidv7(), ${tenantId}::uuid, null, 'webhook.test', null, '{}', now())`.execute(database.db);
    if (kind === 'accounts') accounts.push(...rows);
    if (kind === 'events') steps.push(rows.length);
  });
  expect(accounts).toEqual([expect.objectContaining({ id: accountId })]);
  expect(steps).toEqual([500, 500, 200]);
  expect(counts).toMatchObject({ tenant: 1, accounts: 1, events: 1200, messages: 0 });
});
