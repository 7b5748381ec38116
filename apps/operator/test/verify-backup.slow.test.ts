import { randomBytes } from 'node:crypto';
import { createSecrets } from '@notify/runtime';
import { makeTenant, makeWebhook, type TestDatabase, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { notify, type Outcome } from './notify.ts';

const [first, second] = [randomBytes(32), randomBytes(32)];
const keys = { one: `1:${first.toString('base64')}`, two: `2:${second.toString('base64')}` };
const jwt = `j:${randomBytes(32).toString('base64')}`;

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database[Symbol.asyncDispose]());

const verify = (env: Record<string, string>, ...args: string[]): Promise<Outcome> =>
  notify(['verify-backup', ...args], {
    DATABASE_URL: database.url,
    NOTIFY_MODE: 'production',
    MASTER_KEYS: '',
    JWT_SECRETS: '',
    ...env,
  });

/** An account sealed by key 2, and a webhook whose secret key 1 sealed. */
async function sealSome(): Promise<{ accountId: string; webhookId: string }> {
  const { db } = database;
  const { tenantId, accountId } = await makeTenant(db);
  const webhookId = await makeWebhook(db, tenantId);
  const seal = (version: number, key: Buffer, table: string, column: string, row: string) =>
    createSecrets([{ version, key }]).seal('{}', { tenantId, table, column, row });
  const settings = seal(2, second, 'channel_accounts', 'settings', accountId);
  const secret = seal(1, first, 'webhooks', 'secret', webhookId);
  await sql`update channel_accounts set settings = ${settings} where id = ${accountId}::uuid`.execute(db);
  await sql`update webhooks set secret = ${secret} where id = ${webhookId}::uuid`.execute(db);
  return { accountId, webhookId };
}

test('a sound database passes, on one screen', async () => {
  await sealSome();
  const { code, out, error } = await verify({ MASTER_KEYS: `${keys.two},${keys.one}`, JWT_SECRETS: jwt });
  expect({ code, error }).toEqual({ code: 0, error: '' });
  expect(out).toContain(
    '2 of 2 stored secrets open (sealed: 1 by master key 2, 1 by master key 1). JWT_SECRETS has j.',
  );
  expect(out).toMatch(/webhooks 1,/);
  expect(out).toMatch(/\nNothing is wrong with it\.$/);
  expect(out.split('\n').length).toBeLessThan(24);
});

test('a missing key, wrong keys and missing settings are faults of their own', async () => {
  const { webhookId } = await sealSome();
  const missing = await verify({ MASTER_KEYS: keys.two, JWT_SECRETS: jwt });
  expect(missing.code).toBe(1);
  expect(missing.out).toContain(
    'Master key 1 is missing in MASTER_KEYS: 1 stored secrets were sealed with it.',
  );
  const wrong = await verify({ MASTER_KEYS: `${keys.two},1:${second.toString('base64')}`, JWT_SECRETS: jwt });
  expect(wrong.code).toBe(1);
  expect(wrong.out).toContain('1 of 1 secrets in webhooks.secret do not open: webhooks.secret, sealed with');
  const none = await verify({});
  expect(none.code).toBe(1);
  expect(none.out).toMatch(/FAULT +MASTER_KEYS is not set[^]*FAULT +JWT_SECRETS is not set/);
  expect(missing.out + wrong.out).not.toContain(webhookId);
});

test('tables that do not fit together are a fault, in JSON as well', async () => {
  await sealSome();
  const env = { MASTER_KEYS: `${keys.two},${keys.one}`, JWT_SECRETS: jwt };
  await sql`insert into events (id, tenant_id, message_id, event, body, occurred_at)
    select uuidv7(), id, uuidv7(), 'message.sent', '{}', now() from tenants`.execute(database.db);
  const { code, out } = await verify(env, '--json');
  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({
    isUsable: false,
    faults: [expect.stringMatching(/^1 of 1 events have no message \(such as [0-9a-f-]{36}\)\.$/)],
    toDo: [],
    keys: { sealedBy: { 1: 1, 2: 1 }, masterKeys: ['2', '1'] },
    moment: expect.stringMatching(/Z$/),
  });
});

test('it changes nothing: all it does runs where nothing may be written', async () => {
  await sealSome();
  await sql`do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`.execute(
    database.db,
  );
  const { code } = await verify({ MASTER_KEYS: `${keys.two},${keys.one}`, JWT_SECRETS: jwt });
  expect(code).toBe(0);
});

test('an empty database is no backup', async () => {
  await sql`drop schema public cascade`.execute(database.db);
  await sql`create schema public`.execute(database.db);
  const { code, out } = await verify({ MASTER_KEYS: keys.one, JWT_SECRETS: jwt });
  expect(code).toBe(1);
  expect(out).toContain('nothing was restored into it');
});
