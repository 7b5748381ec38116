import { makeTenant, type TestDatabase, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { exportQueries, exportTenant } from '../../src/exports/export-tenant.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await testDatabase();
});
afterAll(() => database[Symbol.asyncDispose]());

/** Tables with rows of tenants that no export reads, and why. */
const notExported: Readonly<Record<string, string>> = {
  dispatch_due: 'its messages are exported',
  message_tags: 'its messages are exported',
  usage_tags: 'usage by tag is exported',
  scheduled_messages: 'its messages are exported',
  uploads: 'files on their way to a provider, which are gone within a day of their last use',
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

/** Columns of exported tables that no export reads. */
const columnsLeftOut: Readonly<Record<string, readonly string[]>> = {
  api_keys: ['hash'],
  channel_accounts: ['settings', 'lane', 'failures_in_row', 'blocked', 'paced_until'],
  consents: ['change_id'],
  conversation_messages: ['inbound'],
  conversations: ['latest_id', 'burst_began_at', 'burst_in', 'burst_out', 'slow_until', 'next_send_at'],
  deliveries: ['leads_pack'],
  delivery_due: ['due_at', 'claimed_until', 'claimed_by', 'leads_pack'],
  delivery_packs: ['delivery_ids'],
  events: ['sequence', 'traceparent', 'tags'],
  idempotency_keys: ['request_hash'],
  message_groups: ['told', 'quiet', 'route_ends_at', 'traceparent', 'updated_at'],
  messages: ['delivered_parts', 'emitted', 'file', 'postponed_ms'],
  service_tokens: ['hash'],
  sessions: ['transport'],
  tenants: ['email_key', 'password_hash'],
  verification_limits: ['holds', 'judged_from'],
  verifications: ['recipient', 'sealed_code', 'code_hash', 'code_salt', 'key_version'],
  webhooks: [
    'secret',
    'previous_secret',
    'previous_secret_until',
    'generation',
    'lane',
    'paused_until',
    'at_once',
    'probes',
    'replay_after',
    'replay_until',
  ],
  whatsapp_links: [
    'wanted',
    'wanted_phone',
    'requests',
    'step',
    'shown',
    'shown_until',
    'reason',
    'restricted_until',
    'data_key',
    'creds',
    'version',
    'login_after',
    'login_refusals',
    'pushbacks',
    'pushed_back_at',
  ],
};

test('every column of an exported table is exported, or listed as left out', async () => {
  const texts = Object.values(exportQueries).map(
    (select) => select(crypto.randomUUID()).compile(database.db).sql,
  );
  const { rows } = await sql<{ table: string; name: string }>`
    select c.relname as table, a.attname as name from pg_class c join pg_attribute a on a.attrelid = c.oid
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
      and a.attnum > 0 and not a.attisdropped and a.attname <> 'tenant_id'
    order by c.relname, a.attnum`.execute(database.db);
  const missing: Record<string, string[]> = {};
  for (const { table, name } of rows) {
    const reads = texts.filter((text) => new RegExp(`(?:from|join) ${table}\\b`).test(text));
    if (reads.length === 0 || reads.some((text) => new RegExp(`(?<!")\\b${name}\\b`).test(text))) continue;
    (missing[table] ??= []).push(name);
  }
  expect(missing).toEqual(columnsLeftOut);
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
