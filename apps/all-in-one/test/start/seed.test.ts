import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { createWebhook, listWebhooks, rotateSecret } from '@notify/db/webhooks';
import { findTenantByEmail } from '@notify/db/tenants';
import { createSecrets, loadSettings, secretText } from '@notify/runtime';
import { testDatabase, type TestDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { seed } from '../../src/seed.ts';

const masterKeys = `1:${randomBytes(32).toString('base64')}`;
const url = 'http://127.0.0.1:4000/';
const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
});
afterEach(() => database[Symbol.asyncDispose]());

const settingsWith = (env: Readonly<Record<string, string>>) =>
  loadSettings({
    NOTIFY_MODE: 'development',
    DATABASE_URL: database.url,
    MASTER_KEYS: masterKeys,
    JWT_SECRETS: `k1:${randomBytes(32).toString('base64')}`,
    BCRYPT_COST: '4',
    NOTIFY_SEED_TENANT_EMAIL: 'ci@example.com',
    ...env,
  });
const seedWith = (env: Readonly<Record<string, string>>) => seed(database.db, settingsWith(env));
const webhook = (secret: string, more: Readonly<Record<string, string>> = {}) => ({
  NOTIFY_SEED_WEBHOOK_URL: url,
  NOTIFY_SEED_WEBHOOK_SECRET: secret,
  ...more,
});
const findTenantId = async () => (await findTenantByEmail(database.db, 'ci@example.com'))!.id;

test('a webhook of that URL gets the secret and the events of the environment', async () => {
  await seedWith(webhook(newSecret()));
  const tenantId = await findTenantId();
  const [first] = await listWebhooks(database.db, tenantId);
  const sealed = createSecrets(settingsWith({}).masterKeys);
  const place = { tenantId, table: 'webhooks', row: first!.id, column: 'secret' };
  // Two replaced secrets, which still sign.
  for (let count = 0; count < 2; count += 1)
    await rotateSecret(database.db, tenantId, first!.id, {
      secret: sealed.seal(newSecret(), place),
      reseal: (text, from, to) => sealed.seal(sealed.open(text, { tenantId, ...from }), { tenantId, ...to }),
    });
  const secret = newSecret();
  await seedWith(webhook(secret, { NOTIFY_SEED_WEBHOOK_EVENTS: 'message.failed' }));
  const after = await listWebhooks(database.db, tenantId);
  expect(after).toMatchObject([{ id: first!.id, url, events: ['message.failed'] }]);
  const stored = await database.db.selectFrom('webhooks').selectAll().executeTakeFirstOrThrow();
  expect(sealed.open(stored.secret, place)).toBe(secret);
  expect(stored.previous_secret).toBeNull();
  expect(await database.db.selectFrom('webhook_older_secrets').select('id').execute()).toEqual([]);
});

test('a tenant with as many webhooks as it may have stops the start', async () => {
  await seedWith({});
  const tenantId = await findTenantId();
  for (const name of ['a', 'b']) {
    const other = { id: randomUUIDv7(), tenantId, url: `${url}${name}`, events: [], secret: 'sealed' };
    await createWebhook(database.db, other, 2);
  }
  await expect(seed(database.db, { ...settingsWith(webhook(newSecret())), maxWebhooks: 2 })).rejects.toThrow(
    /^the tenant has 2 webhooks: NOTIFY_SEED_WEBHOOK_URL would be one more$/,
  );
});

test.each([
  ['NOTIFY_SEED_API_KEY', 'svc_live_', 'api_keys'],
  ['NOTIFY_SEED_SERVICE_TOKEN', 'svc_tok_', 'service_tokens'],
] as const)(
  'a revoked %s stops the start, and the error says what to do',
  async (variable, prefix, table) => {
    const env = { [variable]: secretText(prefix).make() };
    await seedWith(env);
    await seedWith(env);
    await sql`update ${sql.table(table)} set revoked_at = now()`.execute(database.db);
    await expect(seedWith(env)).rejects.toThrow(
      `${variable} was revoked, has expired or belongs to another tenant: set it to a new one, which notify new-credentials prints, or unset it`,
    );
  },
);
