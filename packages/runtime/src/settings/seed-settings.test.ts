import { secretText } from '../secrets/secret-text.ts';
import { loadOnly, SettingsError } from './config.ts';

const names = [
  'mode',
  'seedTenantEmail',
  'seedTenantPassword',
  'seedApiKey',
  'seedServiceToken',
  'seedWebhookUrl',
  'seedWebhookSecret',
  'seedWebhookEvents',
] as const;
const key = secretText('svc_live_').make();
const token = secretText('svc_tok_').make();
const secret = `whsec_${'A'.repeat(43)}=`;

/** The problems of these settings in development, or in the mode they name. */
function problemsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    loadOnly({ NOTIFY_MODE: 'development', ...env }, names);
    return [];
  } catch (error) {
    return error instanceof SettingsError ? error.problems : [String(error)];
  }
}

test('development takes what new-credentials prints, and a webhook', () => {
  const settings = loadOnly(
    {
      NOTIFY_MODE: 'development',
      NOTIFY_SEED_API_KEY: key,
      NOTIFY_SEED_SERVICE_TOKEN: token,
      NOTIFY_SEED_WEBHOOK_URL: 'http://127.0.0.1:4000/',
      NOTIFY_SEED_WEBHOOK_SECRET: secret,
      NOTIFY_SEED_WEBHOOK_EVENTS: 'message.failed, message.received',
    },
    names,
  );
  expect(settings.seedWebhookEvents).toEqual(['message.failed', 'message.received']);
  expect(settings.seedTenantEmail).toBeNull();
});

test('production refuses every one of them, by name and without its value', () => {
  const env = {
    NOTIFY_SEED_API_KEY: key,
    NOTIFY_SEED_TENANT_EMAIL: 'ci@example.com',
  };
  const refused = (variable: string): string =>
    `${variable} is set, but NOTIFY_MODE is production; known credentials are for development only`;
  expect(problemsOf({ ...env, NOTIFY_MODE: 'production' })).toEqual([
    refused('NOTIFY_SEED_TENANT_EMAIL'),
    refused('NOTIFY_SEED_API_KEY'),
  ]);
});

test('a password may have 72 bytes', () => {
  for (const password of ['a'.repeat(8), 'a'.repeat(72), 'é'.repeat(36)])
    expect(problemsOf({ NOTIFY_SEED_TENANT_PASSWORD: password })).toEqual([]);
});

test.each([
  [
    'a key whose checksum is wrong',
    { NOTIFY_SEED_API_KEY: `svc_live_${'a'.repeat(49)}` },
    'NOTIFY_SEED_API_KEY',
  ],
  ['a key in place of a token', { NOTIFY_SEED_SERVICE_TOKEN: key }, 'NOTIFY_SEED_SERVICE_TOKEN'],
  ['a short password', { NOTIFY_SEED_TENANT_PASSWORD: 'short' }, 'NOTIFY_SEED_TENANT_PASSWORD'],
  [
    'a password of 7 characters and more bytes',
    { NOTIFY_SEED_TENANT_PASSWORD: 'é'.repeat(7) },
    'NOTIFY_SEED_TENANT_PASSWORD',
  ],
  [
    'a password of 37 characters and 74 bytes',
    { NOTIFY_SEED_TENANT_PASSWORD: 'é'.repeat(37) },
    'NOTIFY_SEED_TENANT_PASSWORD',
  ],
  [
    'a webhook without a secret',
    { NOTIFY_SEED_WEBHOOK_URL: 'http://127.0.0.1:4000/' },
    'NOTIFY_SEED_WEBHOOK_SECRET',
  ],
  ['a secret without a webhook', { NOTIFY_SEED_WEBHOOK_SECRET: secret }, 'NOTIFY_SEED_WEBHOOK_URL'],
  [
    'a secret that is no base64',
    { NOTIFY_SEED_WEBHOOK_URL: 'http://127.0.0.1:4000/', NOTIFY_SEED_WEBHOOK_SECRET: 'whsec_secret' },
    'NOTIFY_SEED_WEBHOOK_SECRET',
  ],
  [
    'an unknown event',
    {
      NOTIFY_SEED_WEBHOOK_URL: 'http://127.0.0.1:4000/',
      NOTIFY_SEED_WEBHOOK_SECRET: secret,
      NOTIFY_SEED_WEBHOOK_EVENTS: 'message.lost',
    },
    'NOTIFY_SEED_WEBHOOK_EVENTS',
  ],
])('%s is a problem that names the variable', (_, env, variable) => {
  expect(problemsOf(env as Record<string, string>)).toEqual([expect.stringContaining(variable)]);
});
