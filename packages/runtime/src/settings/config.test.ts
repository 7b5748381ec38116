import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { loadOnly, loadProcessSettings, loadSettings, SettingsError } from './config.ts';

const key = Buffer.alloc(32, 7).toString('base64');
const required = {
  DATABASE_URL: 'postgres://notify:hidden@db/notify',
  MASTER_KEYS: `1:${key}`,
  JWT_SECRETS: `a:${key}`,
};

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    loadSettings(env);
  } catch (error) {
    if (error instanceof SettingsError) return error.problems;
    throw error;
  }
  return [];
}

test('production is the default and uses the strict defaults', () => {
  expect(loadSettings(required)).toMatchObject({
    mode: 'production',
    host: '0.0.0.0',
    port: 3000,
    cookieSecure: true,
    allowPrivateWebhooks: false,
    egressAllow: [],
    sandbox: false,
    registration: 'open',
    redisUrl: null,
    receiptWaitMs: 120_000,
  });
});

test.each([
  ['a b', false],
  ['ümlaut', false],
  ['a=b', false],
  ['aZ09-._~+/==', true],
])('METRICS_TOKEN %j can be sent as a bearer token: %s', (token, isValid) => {
  expect(problemsOf({ ...required, METRICS_TOKEN: token })).toHaveLength(isValid ? 0 : 1);
});

test('a setting under the name that it had before is refused, and the new name is told', () => {
  const before = { ...required, VERIFICATIONS_PER_MINUTE: '50' };
  expect(problemsOf(before)).toEqual([
    'VERIFICATIONS_PER_MINUTE has a new name; set ACCOUNT_CHECKS_PER_MINUTE instead',
  ]);
  expect(loadSettings({ ...before, ACCOUNT_CHECKS_PER_MINUTE: '40' }).accountChecksPerMinute).toBe(40);
});

test('development uses the other defaults, and each of them can be set by itself', () => {
  const development = { ...required, NOTIFY_MODE: 'development' };
  expect(loadSettings(development)).toMatchObject({
    host: '127.0.0.1',
    cookieSecure: false,
    allowPrivateWebhooks: true,
    sandbox: true,
    registration: 'open',
  });
  const strict = {
    ...development,
    COOKIE_SECURE: 'on',
    EGRESS_PRIVATE: 'off',
    SANDBOX: 'off',
    REGISTRATION: 'closed',
  };
  expect(loadSettings(strict)).toMatchObject({
    cookieSecure: true,
    allowPrivateWebhooks: false,
    sandbox: false,
    registration: 'closed',
  });
});

test('production names every variable that it requires', () => {
  expect(problemsOf({})).toEqual([
    expect.stringMatching(/^DATABASE_URL is not set; expected URL that starts with postgres:/),
    expect.stringMatching(/^MASTER_KEYS is not set; expected .*32 bytes in base64/),
    expect.stringMatching(/^JWT_SECRETS is not set; expected .*at least 32 bytes in base64/),
  ]);
});

test('all problems are reported at once, with the expected and the given value', () => {
  const problems = problemsOf({ ...required, PORT: '70000', SANDBOX: 'yes', NOTIFY_MODE: 'dev' });
  expect(problems).toEqual([
    'NOTIFY_MODE: expected development or production; got "dev"',
    'PORT: expected integer from 0 to 65535; got "70000"',
    'SANDBOX: expected on or off; got "yes"',
  ]);
});

test('a wrong secret is named but never shown', () => {
  const [problem = ''] = problemsOf({ ...required, MASTER_KEYS: '1:c2hvcnQ=' });
  expect(problem).toContain('MASTER_KEYS');
  expect(problem).not.toContain('c2hvcnQ');
  expect(problemsOf({ ...required, DATABASE_URL: 'mysql://u:hidden@db' }).join()).not.toContain('hidden');
});

test('a malformed list of servers is named by its fault', () => {
  expect(problemsOf({ ...required, DATABASE_URL: 'postgres://u:hidden@db1,,db2/notify' })).toEqual([
    'DATABASE_URL: host 2 of the list is empty',
  ]);
  const list = 'postgres://u:hidden@db1,[::1]:5433/notify?target_session_attrs=any';
  expect(loadSettings({ ...required, DATABASE_URL: list }).databaseUrl).toBe(list);
});

test('a queue in Postgres needs a session, which a pooler in transaction mode does not give', () => {
  const pooled = { ...required, DATABASE_POOLER: 'transaction' };
  expect(problemsOf(pooled)).toEqual([
    expect.stringMatching(/^DATABASE_SESSION_URL is not set; expected the URL of Postgres itself/),
  ]);
  expect(loadSettings({ ...pooled, DATABASE_SESSION_URL: 'postgres://db/notify' })).toMatchObject({
    databasePooler: 'transaction',
    databaseSessionUrl: 'postgres://db/notify',
  });
  expect(loadSettings({ ...pooled, REDIS_URL: 'redis://redis' }).databaseSessionUrl).toBeNull();
});

test('an empty variable counts as unset', () => {
  expect(loadSettings({ ...required, PORT: '', REDIS_URL: '' })).toMatchObject({
    port: 3000,
    redisUrl: null,
  });
  expect(problemsOf({ ...required, MASTER_KEYS: '' })).toHaveLength(1);
});

test('keys keep the order they are listed in, the first being the one in use', () => {
  const settings = loadSettings({
    ...required,
    MASTER_KEYS: `2:${key}, 1:${key}`,
    JWT_SECRETS: `b:${key},a:${key}`,
  });
  expect(settings.masterKeys.map(({ version }) => version)).toEqual([2, 1]);
  expect(settings.masterKeys[0]?.key).toEqual(Buffer.alloc(32, 7));
  expect(settings.jwtSecrets.map(({ kid }) => kid)).toEqual(['b', 'a']);
});

test.each([
  ['MASTER_KEYS', `1:${key},1:${key}`],
  ['MASTER_KEYS', `0:${key}`],
  ['MASTER_KEYS', key],
  ['MASTER_KEYS', `1:${key.slice(0, -2)}!=`],
  ['MASTER_KEYS', `1:${key},`],
  ['JWT_SECRETS', `a:${Buffer.alloc(31).toString('base64')}`],
  ['JWT_SECRETS', `a:${key},a:${key}`],
  ['PORT', '3000.5'],
  ['PORT', '-1'],
  ['PORT', '0x10'],
  ['IDEMPOTENCY_DAYS', '0'],
  ['PUBLIC_URL', 'notify.example'],
  ['PUBLIC_URL', 'https://notify.example/?a=1'],
  ['REDIS_URL', 'http://redis'],
  ['EGRESS_ALLOW', '10.0.0.0/8'],
  ['EGRESS_ALLOW', '10.0.0.0/8:0'],
  ['EGRESS_ALLOW', '10.0.0.5/:8080'],
  ['EGRESS_ALLOW', '10.0.0.0/8/16:80'],
  ['EGRESS_ALLOW', '10.0.0.0/0x8:80'],
  ['EGRESS_ALLOW', '10.0.0.0/99:80'],
  ['EGRESS_ALLOW', '10.0.0.300/8:80'],
  ['EGRESS_ALLOW', '10.0.0.300:80'],
  ['EGRESS_ALLOW', '[fd00::/129]:80'],
  ['EGRESS_ALLOW', '[gateway]:80'],
  ['EGRESS_ALLOW', 'gateway.local:13013,'],
  ['DATABASE_CONNECTIONS', '4'],
])('%s is refused as %s', (variable, value) => {
  expect(problemsOf({ ...required, [variable]: value })).toEqual([expect.stringMatching(`^${variable}:`)]);
});

test.each([
  [
    'redis+sentinel://:pw@s1:26379,s2:26379',
    'its path must name the master, as in redis+sentinel://host:26379/mymaster',
  ],
  ['redis+cluster://:pw@n1:7000/3', 'a cluster has only database 0, so it must have no path'],
])('a REDIS_URL that is wrong in one part says which, and hides the password', (value, fault) => {
  expect(problemsOf({ ...required, REDIS_URL: value })).toEqual([`REDIS_URL: ${fault}`]);
});

test('messages must be kept as long as their idempotency keys', () => {
  const [problem] = problemsOf({ ...required, IDEMPOTENCY_DAYS: '100' });
  expect(problem).toBe(
    'MESSAGE_RETENTION_DAYS (90) is below IDEMPOTENCY_DAYS (100); expected at least as many',
  );
});

test('addresses and URLs are accepted as operators write them', () => {
  const settings = loadSettings({
    ...required,
    EGRESS_ALLOW: '10.0.0.0/8:8080, gateway.local:13013,[fd00::/8]:443',
    PUBLIC_URL: 'https://notify.example/base/',
  });
  expect(settings.egressAllow).toEqual(['10.0.0.0/8:8080', 'gateway.local:13013', '[fd00::/8]:443']);
  expect(settings.publicUrl).toBe('https://notify.example/base');
});

test('a command that needs few settings reads only those', () => {
  expect(loadOnly({ DATABASE_URL: 'postgres://db/notify' }, ['databaseUrl', 'logLevel'])).toEqual({
    databaseUrl: 'postgres://db/notify',
    logLevel: { every: 'info', byComponent: new Map() },
  });
});

test('a process in development gets its keys from DATA_DIR, unless they are given', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-config-'));
  const env = { NOTIFY_MODE: 'development', DATA_DIR: dataDir, DATABASE_URL: required.DATABASE_URL };
  const first = await loadProcessSettings(env);
  expect((await loadProcessSettings(env)).masterKeys).toEqual(first.masterKeys);
  const given = await loadProcessSettings({ ...env, MASTER_KEYS: `9:${key}`, JWT_SECRETS: '' });
  expect(given.masterKeys.map(({ version }) => version)).toEqual([9]);
  const exported = ({ jwtSecrets }: typeof given) =>
    jwtSecrets.map(({ kid, secret }) => [kid, secret.export().toString('hex')]);
  expect(exported(given)).toEqual(exported(first));
  await expect(loadProcessSettings({ ...env, NOTIFY_MODE: '' })).rejects.toThrow('MASTER_KEYS is not set');
  await rm(dataDir, { recursive: true });
});

test('a rate of every plan may be followed by those of single plans', () => {
  const read = (written: string) =>
    loadOnly({ MESSAGES_PER_MINUTE: written }, ['messagesPerMinute']).messagesPerMinute;
  expect(read('')).toEqual({ every: 60_000, byPlan: new Map() });
  expect(read('0')).toEqual({ every: 0, byPlan: new Map() });
  expect(read('60000, trial=600,gold-2=0')).toEqual({
    every: 60_000,
    byPlan: new Map([
      ['trial', 600],
      ['gold-2', 0],
    ]),
  });
});

test.each([
  'trial=600',
  '600,700',
  '600,trial=',
  '600,trial=1,trial=2',
  '600,Trial=1',
  '-1',
  '1e3',
  '600,',
  '999999999',
])('rates by plan written as %j are refused', (written) => {
  expect(problemsOf({ ...required, MESSAGES_PER_MINUTE: written })).toEqual([
    expect.stringMatching(
      /^MESSAGES_PER_MINUTE: expected integer up to 100000000, optionally followed by plan=integer/,
    ),
  ]);
});

describe('mails', () => {
  const mails = {
    ...required,
    SMTP_URL: 'smtp://mailer:hidden@mail.local:587',
    MAIL_FROM: 'Notify <no-reply@example.com>',
    PUBLIC_URL: 'https://notify.example.com',
  };

  test('are off by default, and nobody has to verify an address', () => {
    expect(loadSettings(required)).toMatchObject({ smtpUrl: null, mailFrom: null, emailVerification: 'off' });
  });

  test('need a server, a sender and the address of the links', () => {
    expect(loadSettings(mails)).toMatchObject({ smtpUrl: mails.SMTP_URL, mailFrom: mails.MAIL_FROM });
    expect(problemsOf({ ...required, SMTP_URL: mails.SMTP_URL })).toEqual([
      expect.stringMatching(/^MAIL_FROM is not set/),
      expect.stringMatching(/^PUBLIC_URL is not set/),
    ]);
    expect(problemsOf({ ...required, EMAIL_VERIFICATION: 'required' })).toEqual([
      expect.stringMatching(/^SMTP_URL is not set/),
    ]);
  });

  test.each(['no-reply@example.com', 'Notify <a@b.example>'])('%s is a sender', (from) => {
    expect(loadSettings({ ...mails, MAIL_FROM: from }).mailFrom).toBe(from);
  });

  test.each(['notify', 'a@b.example, c@d.example', 'Notify <a@b.example>\r\nBcc: x@y.example', '<>'])(
    '%j is none',
    (from) => expect(problemsOf({ ...mails, MAIL_FROM: from })).toHaveLength(1),
  );

  test('a wrong SMTP_URL is not shown', () => {
    const [problem] = problemsOf({ ...mails, SMTP_URL: 'http://mailer:hidden@mail.local' });
    expect(problem).toMatch(/^SMTP_URL: expected URL that starts with smtp:/);
    expect(problem).not.toContain('hidden');
  });
});
