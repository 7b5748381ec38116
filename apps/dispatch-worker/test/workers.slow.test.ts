import { randomBytes } from 'node:crypto';
import { settingsPlace } from '@notify/db/accounts';
import type { Db } from '@notify/db/connection';
import { acceptMessages } from '@notify/db/messages';
import { openWaker } from '@notify/queue';
import { createSecrets } from '@notify/runtime';
import {
  makeTenant,
  type RunningProcesses,
  type RunningRedis,
  type SmsGateway,
  startProcesses,
  startRedis,
  startSmsGateway,
  type TestDatabase,
  testDatabase,
  type TestTenant,
  testWith,
  textItem,
} from '@notify/testkit';
import { Redis } from 'ioredis';

const test = testWith('redis-server');

const masterKey = randomBytes(32);
const secrets = createSecrets([{ version: 1, key: masterKey }]);
const minute = 60_000;

let test_: TestDatabase;
let redis: RunningRedis;
let gateway: SmsGateway;
let processes: RunningProcesses;

/** Attempts of each worker before the test. */
let attemptsBefore: readonly number[];

beforeAll(async () => {
  test_ = await testDatabase();
  redis = await startRedis();
  processes = await startProcesses({
    databaseUrl: test_.url,
    redisUrl: redis.url,
    api: 0,
    dispatch: 2,
    webhook: 0,
    env: { MASTER_KEYS: `1:${masterKey.toString('base64')}` },
  });
});

afterAll(async () => {
  await processes?.stop();
  await redis?.stop();
  await test_?.[Symbol.asyncDispose]();
});

beforeEach(async () => {
  gateway = await startSmsGateway();
  attemptsBefore = processes.dispatch.map(attemptsOf);
});
afterEach(() => gateway.stop());

async function gatewayTenant(db: Db): Promise<TestTenant> {
  const tenant = await makeTenant(db, { provider: 'http-sms' });
  const sealed = secrets.seal(
    JSON.stringify({ settings: gateway.settings, callbackSecret: 'secret' }),
    settingsPlace(tenant.tenantId, tenant.accountId),
  );
  await db
    .updateTable('channel_accounts')
    .set({ settings: sealed })
    .where('id', '=', tenant.accountId)
    .execute();
  return tenant;
}

async function send(db: Db, tenants: readonly TestTenant[], each: number): Promise<void> {
  const rules = { idempotencyDays: 7, blockExpiredTrials: false };
  for (const tenant of tenants) {
    await acceptMessages(
      db,
      Array.from({ length: each }, () => textItem(tenant)),
      rules,
    );
  }
}

async function wake(tenants: readonly TestTenant[]): Promise<void> {
  const waker = openWaker({
    redisUrl: redis.url,
    databaseUrl: test_.url,
    partitions: 1,
    onError: () => undefined,
  });
  const wakes = tenants.map((tenant) => ({ lane: 'fast' as const, id: tenant.accountId }));
  // A waker that has just been opened may not be connected yet.
  for (;;) {
    const woken = await waker.wakeMany('dispatch', wakes).then(
      () => true,
      () => false,
    );
    if (woken) break;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  await waker.close();
}

function attemptsOf({ lines }: RunningProcesses['dispatch'][number]): number {
  return lines.filter((line) => line.includes('"attempt"')).length;
}

/** Attempts of each worker in this test. */
const attempts = (): number[] =>
  processes.dispatch.map((worker, index) => attemptsOf(worker) - attemptsBefore[index]!);

async function untilSent(db: Db): Promise<void> {
  const unsent = db.selectFrom('messages').select('id').where('status', '<>', 'sent').limit(1);
  while ((await unsent.executeTakeFirst()) !== undefined)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

test(
  '100 tenants with 20 messages each: two workers share the turns and send each message exactly once',
  async () => {
    const tenants: TestTenant[] = [];
    for (let count = 0; count < 100; count += 1) tenants.push(await gatewayTenant(test_.db));
    await send(test_.db, tenants, 20);
    await wake(tenants);
    await gateway.when((ledger) => ledger.length === 2_000);
    await untilSent(test_.db);
    expect(gateway.ledger().filter((entry) => entry.taken !== 1)).toEqual([]);
    const [first, second] = attempts();
    expect(first! + second!).toBe(2_000);
    expect(Math.min(first!, second!)).toBeGreaterThan(200);
  },
  3 * minute,
);

test(
  'the queue is wiped in the middle of a turn and the account woken again: nothing is sent twice, nothing is lost',
  async () => {
    const tenant = await gatewayTenant(test_.db);
    // Slow enough that the wiped queue gives the account to both workers before the messages run out.
    gateway.behave({ answer: 'take', latencyMs: 100 });
    await send(test_.db, [tenant], 500);
    await wake([tenant]);
    await gateway.when((ledger) => ledger.length >= 50);
    const client = new Redis(redis.url);
    const bothTookPart = () => Math.min(...attempts()) > 0;
    // The second turn may go to the worker that has the first: wiped again, until the other one has a turn too.
    do {
      await client.flushall();
      await wake([tenant]);
    } while (!bothTookPart() && gateway.ledger().length < 500);
    await client.quit();
    await gateway.when((ledger) => ledger.length === 500);
    await untilSent(test_.db);
    expect(gateway.ledger().filter((entry) => entry.taken !== 1)).toEqual([]);
    expect(bothTookPart()).toBe(true);
  },
  3 * minute,
);
