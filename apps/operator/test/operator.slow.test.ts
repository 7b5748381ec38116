import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { acceptMessages } from '@notify/db/messages';
import { resetPasswordByLink } from '@notify/db/tenants';
import { prepareQueue } from '@notify/queue';
import { makeTenant, type TestDatabase, testDatabase, testWith, textItem } from '@notify/testkit';
import bcrypt from 'bcrypt';
import { notify as notifyHere, type Outcome } from './notify.ts';

let database: TestDatabase;

beforeAll(async () => {
  database = await testDatabase();
  await prepareQueue({ databaseUrl: database.url, redisUrl: null });
});
afterAll(() => database[Symbol.asyncDispose]());

/** Settings as production has them, on the test's database unless `env` says otherwise. */
const settings = (env: Record<string, string>) => ({
  DATABASE_URL: database.url,
  REDIS_URL: '',
  BCRYPT_COST: '4',
  NOTIFY_MODE: 'production',
  ...env,
});

const notify = (args: readonly string[], env: Record<string, string> = {}, input = ''): Promise<Outcome> =>
  notifyHere(args, settings(env), input);

async function json(
  args: readonly string[],
  env: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const { code, out, error } = await notify([...args, '--json'], env);
  expect({ code, error }).toEqual({ code: 0, error: '' });
  return JSON.parse(out);
}

const create = (email: string, ...more: string[]) => [
  'tenant',
  'create',
  '--name',
  'Acme',
  '--email',
  email,
  ...more,
];

describe('tenants', () => {
  test('are made with a password that is shown once and matches what is stored', async () => {
    const made = await json(create('made@example.com'));
    expect(made).toMatchObject({ email: 'made@example.com', name: 'Acme', plan: 'trial', blockedAt: null });
    const row = await database.db
      .selectFrom('tenants')
      .selectAll()
      .where('email', '=', 'made@example.com')
      .executeTakeFirstOrThrow();
    expect(made.id).toBe(`ten_${row.id}`);
    expect(await bcrypt.compare(String(made.password), row.password_hash)).toBe(true);
  });

  test('have sandbox accounts where the sandbox is on', async () => {
    const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-operator-'));
    const env = { NOTIFY_MODE: 'development', DATA_DIR: dataDir };
    const made = await json(create('sandbox@example.com', '--plan', 'standard'), env);
    expect(await json(['tenant', 'show', String(made.id)])).toMatchObject({
      plan: 'standard',
      channelAccounts: 3,
    });
    await rm(dataDir, { recursive: true });
  });

  test('are listed for a person, a line each', async () => {
    await notify(create('listed@example.com'));
    const { out } = await notify(['tenant', 'list']);
    expect(out).toMatch(/^id +email +name +plan +trialEndsAt +blockedAt +createdAt$/m);
    expect(out).toMatch(/^ten_\S+ +listed@example\.com +Acme +trial /m);
  });

  test('get a plan, named by email address in any case', async () => {
    await notify(create('plan@example.com'));
    expect(await notify(['set-plan', 'PLAN@example.com', 'standard'])).toEqual({
      code: 0,
      out: 'plan@example.com now has the plan standard',
      error: '',
    });
    expect(await json(['tenant', 'show', 'plan@example.com'])).toMatchObject({ plan: 'standard' });
  });
});

describe('block', () => {
  test('marks the tenant and its accounts; unblock takes both back and wakes', async () => {
    const { tenantId } = await makeTenant(database.db);
    expect(await json(['block', tenantId])).toMatchObject({ blockedAt: expect.any(String) });
    expect(await blockedOf(tenantId)).toEqual([true]);
    expect(await json(['unblock', tenantId])).toMatchObject({ blockedAt: null });
    expect(await blockedOf(tenantId)).toEqual([false]);
  });

  async function blockedOf(tenantId: string): Promise<boolean[]> {
    const accounts = await database.db
      .selectFrom('channel_accounts')
      .select('blocked')
      .where('tenant_id', '=', tenantId)
      .execute();
    return accounts.map((account) => account.blocked);
  }
});

test('reset-password stores the new password and ends every session', async () => {
  const { tenantId } = await makeTenant(database.db);
  const expires = new Date(Date.now() + 3_600_000);
  await database.db.insertInto('sessions').values({ tenant_id: tenantId, expires_at: expires }).execute();
  await json(['reset-password', tenantId, '--password', 'a new password']);
  const session = await database.db
    .selectFrom('sessions')
    .innerJoin('tenants', 'tenants.id', 'sessions.tenant_id')
    .select(['revoked_at', 'password_hash'])
    .where('tenants.id', '=', tenantId)
    .executeTakeFirstOrThrow();
  expect(session.revoked_at).toBeInstanceOf(Date);
  expect(await bcrypt.compare('a new password', session.password_hash)).toBe(true);
});

describe('password-link', () => {
  test('prints a link that works once, for 24 hours; only its hash is stored', async () => {
    const { tenantId } = await makeTenant(database.db);
    const made = await json(['password-link', tenantId], { PUBLIC_URL: 'https://notify.example.com/' });
    const link = String(made.link);
    expect(link).toMatch(/^https:\/\/notify\.example\.com\/reset-password#lnk_[\w-]{43}$/);
    const row = await database.db
      .selectFrom('one_time_links')
      .selectAll()
      .where('tenant_id', '=', tenantId)
      .executeTakeFirstOrThrow();
    expect(row).toMatchObject({ purpose: 'password', emailed: false });
    expect(row.expires_at.getTime() - row.created_at.getTime()).toBe(86_400_000);
    const token = link.split('#')[1]!;
    expect(row.hash).toEqual(createHash('sha256').update(token).digest());
    expect(await resetPasswordByLink(database.db, token, 'hash')).toBe(true);
    expect(await resetPasswordByLink(database.db, token, 'other')).toBe(false);
    const tenant = await database.db
      .selectFrom('tenants')
      .select(['password_hash', 'email_verified_at'])
      .where('id', '=', tenantId)
      .executeTakeFirstOrThrow();
    // Whoever got this link need not read the tenant's mail.
    expect(tenant).toEqual({ password_hash: 'hash', email_verified_at: null });
  });

  test('says where the link leads without PUBLIC_URL', async () => {
    const { tenantId } = await makeTenant(database.db);
    const { out } = await notify(['password-link', tenantId], { PORT: '3456' });
    expect(out).toMatch(/^http:\/\/127\.0\.0\.1:3456\/reset-password#lnk_/);
    expect(out).toContain('PUBLIC_URL is not set');
  });
});

test('verify-email verifies an address, and a tenant made here has a verified one', async () => {
  const { tenantId } = await makeTenant(database.db);
  await json(['verify-email', tenantId]);
  const made = await json(create('vouched@example.com'));
  for (const id of [tenantId, String(made.id).replace('ten_', '')]) {
    const row = await database.db
      .selectFrom('tenants')
      .select('email_verified_at')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    expect(row.email_verified_at).toBeInstanceOf(Date);
  }
});

describe('--password -', () => {
  test.each([['one line\n'], ['one line\r\nand what follows'], ['one line and no end']])(
    'reads one line of standard input: %j',
    async (input) => {
      const { tenantId } = await makeTenant(database.db);
      const { code, out, error } = await notify(['reset-password', tenantId, '--password', '-'], {}, input);
      expect({ code, error }).toEqual({ code: 0, error: '' });
      const [password = ''] = input.split(/\r?\n/);
      expect(out).not.toContain(password);
      const { password_hash } = await database.db
        .selectFrom('tenants')
        .select('password_hash')
        .where('id', '=', tenantId)
        .executeTakeFirstOrThrow();
      expect(await bcrypt.compare(password, password_hash)).toBe(true);
    },
  );

  test.each([[''], ['\n'], ['short\n']])('refuses %j', async (input) => {
    expect(await notify(create('line@example.com', '--password', '-'), {}, input)).toMatchObject({
      code: 1,
      error: expect.stringMatching(/^--password must have at least 8/),
    });
  });
});

testWith('redis-server')(
  'wake-all wakes the accounts that have something due, on either backend',
  async () => {
    const { tenantId, accountId } = await makeTenant(database.db);
    const past = new Date(Date.now() - 60_000);
    const later = new Date(Date.now() + 60_000);
    const due = { account_id: accountId, tenant_id: tenantId, bulk: false, due_at: past, expires_at: later };
    await database.db
      .insertInto('dispatch_due')
      .values({ ...due, message_id: crypto.randomUUID() })
      .execute();
    expect(await json(['wake-all'])).toEqual({ channelAccounts: 1, webhooks: 0 });
    const redis = process.env.TEST_REDIS_URL ?? '';
    expect(await json(['wake-all'], { REDIS_URL: redis })).toEqual({ channelAccounts: 1, webhooks: 0 });
  },
);

test('recount-usage counts the days it is given anew, and says what was wrong', async () => {
  const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10);
  const tenant = await makeTenant(database.db);
  await acceptMessages(database.db, [textItem(tenant)], { idempotencyDays: 7, blockExpiredTrials: false });
  await json(['recount-usage', '--from', yesterday]);
  await database.db.deleteFrom('usage').where('tenant_id', '=', tenant.tenantId).execute();
  const day = expect.stringMatching(/^\d{4}-\d\d-\d\d$/);
  // One figure, of its hour and of its day.
  expect(await json(['recount-usage', '--from', yesterday])).toEqual({
    messages: { days: expect.any(Number), since: day, corrected: 2 },
    posts: { days: expect.any(Number), since: day, corrected: 0 },
  });
  expect(await notify(['recount-usage', '--from', yesterday])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^messages +\d days since \S+, 0 figures corrected$/m),
  });
});

test('migrate has nothing to do on a migrated database', async () => {
  expect(await json(['migrate'])).toEqual({ applied: [] });
});

test('without DATABASE_URL it finds the database of a running npm start', async () => {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-operator-'));
  const connection = { DATABASE_URL: database.url, REDIS_URL: '', QUEUE_PARTITIONS: '1' };
  await writeFile(path.join(dataDir, 'connection.json'), JSON.stringify(connection));
  const { code, error } = await notify(['tenant', 'list'], { DATABASE_URL: '', DATA_DIR: dataDir });
  expect({ code, error }).toEqual({ code: 0, error: '' });
  await rm(dataDir, { recursive: true });
});

describe('what cannot be done is said in one line, with exit code 1', () => {
  test.each([
    ['an unknown command', ['tenant', 'paint'], {}, 'unknown command "tenant paint"; see --help'],
    ['a day that is none', ['recount-usage', '--from', '2026-02-31x'], {}, /^--from must be a date/],
    ['no first day', ['recount-usage'], {}, /^--from must be a date/],
    [
      'a day that is not kept',
      ['recount-usage', '--from', '2020-01-01', '--until', '2020-01-02'],
      {},
      /^no data of these days is left/,
    ],
    [
      'a time without its offset',
      ['after-restore', '--accepted-before', '2026-01-31T12:00'],
      {},
      /^--accepted-before must be a time/,
    ],
    ['a missing word', ['block'], {}, 'usage: block <tenant>'],
    ['an unknown tenant', ['block', 'nobody@example.com'], {}, 'no such tenant: nobody@example.com'],
    ['a bad email address', create('nonsense'), {}, '--email must be an email address'],
    [
      'a short password',
      create('s@example.com', '--password', 'short'),
      {},
      /^--password must have at least 8/,
    ],
    [
      'a password that everybody guesses',
      create('s@example.com', '--password', 'password1'),
      {},
      '--password must not be a common password',
    ],
    ['an unknown option', ['tenant', 'list', '--all', 'x'], {}, /--all/],
    [
      'no database',
      ['tenant', 'list'],
      { DATABASE_URL: '', DATA_DIR: '/nowhere' },
      /^no database: set DATABASE_URL/,
    ],
    [
      'a database that is away',
      ['tenant', 'list'],
      { DATABASE_URL: 'postgres://postgres@127.0.0.1:1/postgres' },
      /^cannot reach the database: /,
    ],
  ])('%s', async (_case, args, env, line) => {
    const { code, out, error } = await notify(args, env);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(error).toMatch(line);
    expect(error).not.toMatch('\n');
  });

  test('an email address that is taken, in another case', async () => {
    await notify(create('taken@example.com'));
    expect(await notify(create('Taken@example.com'))).toMatchObject({
      code: 1,
      error: 'Taken@example.com is already registered',
    });
  });
});

test.each([
  [['tenant', 'create', '--name', 'A', '--email', 'process@example.com', '--password', '-'], 0],
  [['tenant', 'create', '--name', 'A', '--email', 'nonsense'], 1],
])(
  'a process of its own writes the answer to standard output, and a fault to standard error: %j',
  async (args, code) => {
    const program = spawn(process.execPath, [path.resolve(import.meta.dirname, '../src/main.ts'), ...args], {
      env: { ...process.env, ...settings({}) },
    });
    program.stdin.end('a password of one line\n');
    const [out, error, [exit]] = await Promise.all([
      text(program.stdout),
      text(program.stderr),
      once(program, 'exit'),
    ]);
    expect(exit).toBe(code);
    expect(out).toMatch(code === 0 ? /process@example\.com/ : /^$/);
    expect(error).toMatch(code === 0 ? /^$/ : /^--email must be an email address\n$/);
  },
);

test('help names every command and exits with 0', async () => {
  const { code, out } = await notify(['--help']);
  expect(code).toBe(0);
  for (const name of [
    'tenant create',
    'set-plan',
    'block',
    'reset-password',
    'password-link',
    'verify-email',
    'wake-all',
    'after-restore',
    'recount-usage',
    'migrate',
  ]) {
    expect(out).toContain(`\n  ${name}`);
  }
});

test('log levels are changed for a time, listed and reset', async () => {
  const none = 'no changes: every process logs as its LOG_LEVEL says';
  expect(await notify(['log-level'])).toEqual({ code: 0, out: none, error: '' });
  const set = await notify([
    'log-level',
    'warn,dispatch=debug',
    '--for',
    '2h',
    '--process',
    'dispatch-worker',
  ]);
  expect(set).toMatchObject({ code: 0, error: '' });
  expect(set.out.split('\n')).toEqual([
    expect.stringMatching(/^all components: warn in dispatch-worker, until 20.*Z$/),
    expect.stringMatching(/^dispatch: debug in dispatch-worker, until 20.*Z$/),
  ]);
  await notify(['log-level', 'mail=trace']);
  const listed = (await json(['log-level'])) as unknown as readonly { until: string }[];
  const inMinutes = listed.map(({ until }) => Math.round((Date.parse(until) - Date.now()) / 60_000));
  expect(inMinutes).toEqual([120, 120, 15]);
  expect(await notify(['log-level', '--reset'])).toEqual({ code: 0, out: 'ended 3 changes', error: '' });
  expect((await notify(['log-level'])).out).toBe(none);
});

test.each([
  [['dispatch=loud'], '"dispatch=loud" has no level (trace, debug, info, warn, error, fatal, silent)'],
  [['dispatcher=debug'], /^"dispatcher" is no component \(/],
  [['debug', '--for', '2d'], '--for: expected a time such as 30s, 15m or 2h, at most 24h; got 2d'],
  [['debug', '--for', '25h'], '--for: expected a time such as 30s, 15m or 2h, at most 24h; got 25h'],
  [['debug', '--process', 'worker'], /^--process: expected one of dispatch-worker, .*, api; got worker$/],
  [['--for', '2h'], '--for and --process need a level, such as dispatch=debug'],
])('log-level %j is refused', async (args, fault) => {
  const { code, error } = await notify(['log-level', ...args]);
  expect(code).toBe(1);
  expect(error).toMatch(fault);
});
