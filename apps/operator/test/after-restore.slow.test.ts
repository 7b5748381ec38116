import { randomBytes, randomUUID } from 'node:crypto';
import { readHold } from '@notify/db/holds';
import { acceptMessages } from '@notify/db/messages';
import { beat } from '@notify/db/operations';
import { prepareQueue } from '@notify/queue';
import { createSecrets } from '@notify/runtime';
import { makeTenant, type TestDatabase, testDatabase, type TestTenant, textItem } from '@notify/testkit';
import { sql } from 'kysely';
import { notify as notifyHere, type Outcome } from './notify.ts';

const key = randomBytes(32);
const secrets = createSecrets([{ version: 1, key }]);

let database: TestDatabase;
beforeEach(async () => {
  database = await testDatabase();
  await prepareQueue({ databaseUrl: database.url, redisUrl: null });
});
afterEach(() => database[Symbol.asyncDispose]());

const notify = (args: readonly string[], env: Record<string, string> = {}): Promise<Outcome> =>
  notifyHere(args, {
    DATABASE_URL: database.url,
    REDIS_URL: '',
    NOTIFY_MODE: 'production',
    MASTER_KEYS: `1:${key.toString('base64')}`,
    ...env,
  });

async function json(...args: string[]): Promise<Record<string, unknown>> {
  const { code, out, error } = await notify([...args, '--json']);
  expect({ code, error }).toEqual({ code: 0, error: '' });
  return JSON.parse(out);
}

/** A tenant whose account chose what becomes of messages with an unknown outcome. */
async function tenantWith(onUnknownOutcome: string, provider = 'sandbox'): Promise<TestTenant> {
  const tenant = await makeTenant(database.db, { provider });
  const { tenantId, accountId } = tenant;
  const place = { tenantId, table: 'channel_accounts', row: accountId, column: 'settings' };
  const sealed = secrets.seal(JSON.stringify({ settings: { onUnknownOutcome }, callbackSecret: 'x' }), place);
  await sql`update channel_accounts set settings = ${sealed} where id = ${accountId}::uuid`.execute(
    database.db,
  );
  return tenant;
}

async function send(tenant: TestTenant, count: number): Promise<void> {
  const items = Array.from({ length: count }, () => textItem(tenant));
  await acceptMessages(database.db, items, { idempotencyDays: 7, blockExpiredTrials: false });
}

async function statuses(): Promise<string[]> {
  const { rows } = await sql<{ is: string }>`
    select concat_ws(' ', count(*), status, error_code, case when possible_duplicate then 'marked' end) as is
    from messages group by status, error_code, possible_duplicate order by 1`.execute(database.db);
  return rows.map(({ is }) => is);
}

function alive(name: string): Promise<unknown> {
  return beat(database.db, {
    id: randomUUID(),
    name,
    version: '0.1.0',
    host: 'mars',
    pid: 42,
    health: null,
    startedAt: new Date(),
    figures: {} as never,
  });
}

const epoch = async () =>
  (await database.db.selectFrom('event_epoch').select('epoch').executeTakeFirstOrThrow()).epoch;

test('due messages are marked, or failed where the account chose at-most-once, and a second run finds none', async () => {
  await send(await tenantWith('at-least-once'), 3);
  await send(await tenantWith('at-most-once'), 2);
  await send(await tenantWith('at-most-once', 'whatsapp-web'), 1);
  const before = await epoch();
  expect(await json('after-restore')).toMatchObject({ marked: 4, failed: 2, isHeld: false, deliveries: 0 });
  expect(await statuses()).toEqual(['2 failed outcome-unknown', '4 queued marked']);
  expect(await epoch()).not.toEqual(before);
  expect(await json('after-restore')).toMatchObject({ marked: 0, failed: 0 });
});

test('a dry run changes nothing and names what would become of each account', async () => {
  await send(await tenantWith('at-least-once'), 3);
  await send(await tenantWith('at-most-once'), 2);
  await alive('dispatch-worker');
  const before = await epoch();
  const { code, out } = await notify(['after-restore', '--dry-run', '--hold']);
  expect(code).toBe(0);
  expect(out).toMatch(/^5 due messages of 2 accounts were accepted before 20/);
  expect(out).toMatch(/^3 +test +\S+ +sandbox +Test +at-least-once +sent again, marked$/m);
  expect(out).toMatch(/^2 +test +\S+ +sandbox +Test +at-most-once +failed$/m);
  expect(out).toContain(
    'nothing was changed: 2 messages would fail with outcome-unknown, and 3 would be marked',
  );
  expect(out).toContain('In the way: dispatch-worker is running on mars (pid 42)');
  expect(await statuses()).toEqual(['5 queued']);
  expect(await epoch()).toEqual(before);
  expect(await readHold(database.db)).toBeNull();
});

test('with --hold nothing leaves until release-sends, and later messages are not touched meanwhile', async () => {
  const tenant = await tenantWith('at-least-once');
  await send(tenant, 3);
  const { out } = await notify(['after-restore', '--hold']);
  expect(out).toMatch(/ALL SENDS ARE HELD/);
  const held = await epoch();
  await alive('api');
  await alive('dispatch-worker');
  await send(tenant, 2);
  expect(await json('after-restore', '--fail-due')).toMatchObject({ failed: 3, marked: 0, isHeld: true });
  expect(await statuses()).toEqual(['2 queued', '3 failed outcome-unknown marked']);
  expect(await epoch()).toEqual(held);
  await sql`delete from processes`.execute(database.db);
  expect((await notify(['top', '--once'])).out).toContain('ALL SENDS ARE HELD after a restore');
  expect((await notify(['release-sends'])).out).toBe('released: what is due is sent and posted now');
  expect((await notify(['release-sends'])).out).toBe('sends were not held');
});

test('a hold that is part of the backup says nothing about this restore', async () => {
  await sql`insert into sends_hold (accepted_before, server) values ('2026-01-31', 'another')`.execute(
    database.db,
  );
  await send(await tenantWith('at-least-once'), 3);
  await alive('api');
  expect(await notify(['after-restore'])).toMatchObject({
    code: 1,
    error:
      'api is running on mars (pid 42): stop it, or give the time at which it started as --accepted-before',
  });
  await sql`delete from processes`.execute(database.db);
  expect(await json('after-restore')).toMatchObject({ marked: 3, isHeld: true });
});

test('it refuses while a process runs that would send, and where it cannot know', async () => {
  await send(await tenantWith('at-least-once'), 1);
  await alive('dispatch-worker');
  expect((await notify(['after-restore'])).error).toBe(
    'dispatch-worker is running on mars (pid 42): stop it, because it sends what is not marked yet',
  );
  await sql`delete from processes`.execute(database.db);
  const wrong = await notify(['after-restore'], { MASTER_KEYS: `1:${randomBytes(32).toString('base64')}` });
  expect(wrong.error).toMatch(
    /^the settings of the account \S+ do not open .*: see verify-backup, or use --fail-due$/,
  );
  await sql`delete from kysely_migration where name like '0032%'`.execute(database.db);
  expect((await notify(['after-restore'])).error).toMatch(/^migrations are pending: 0032.*/);
  expect(await statuses()).toEqual(['1 queued']);
});

test('--accepted-before excludes newer messages', async () => {
  await send(await tenantWith('at-least-once'), 3);
  await alive('api');
  expect(await json('after-restore', '--accepted-before', '2026-01-31T12:00:00Z')).toMatchObject({
    marked: 0,
  });
  expect((await json('after-restore', '--accepted-before', '2126-01-31T12:00:00Z')).marked).toBe(3);
});

test('usage of the last days is counted anew, unless that is left out', async () => {
  const tenant = await tenantWith('at-least-once');
  await send(tenant, 3);
  expect(await json('after-restore')).toMatchObject({ usage: { messages: { corrected: 0 } } });
  await sql`update usage set total = 1000`.execute(database.db);
  expect(await json('after-restore', '--skip-usage')).toMatchObject({ usage: null });
  const { usage } = await json('after-restore');
  expect((usage as { messages: { corrected: number } }).messages.corrected).toBeGreaterThan(0);
});
