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

beforeEach(async () => {
  test_ = await testDatabase();
  redis = await startRedis();
  gateway = await startSmsGateway();
  processes = await startProcesses({
    databaseUrl: test_.url,
    redisUrl: redis.url,
    api: 0,
    dispatch: 2,
    webhook: 0,
    env: { MASTER_KEYS: `1:${masterKey.toString('base64')}` },
  });
}, minute);

afterEach(async () => {
  await processes.stop();
  await gateway.stop();
  await redis.stop();
  await test_[Symbol.asyncDispose]();
}, minute);

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

const attempts = (worker: RunningProcesses['dispatch'][number]) =>
  worker.lines.filter((line) => line.includes('"attempt"')).length;

async function sentCount(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('messages')
    .select((eb) => eb.fn.countAll<string>().as('count'))
    .where('status', '=', 'sent')
    .executeTakeFirstOrThrow();
  return Number(count);
}

async function untilSent(db: Db, count: number): Promise<void> {
  while ((await sentCount(db)) < count) await new Promise((resolve) => setTimeout(resolve, 50));
}

test(
  '100 tenants with 50 messages each: two workers share the turns and send each message exactly once',
  async () => {
    const tenants: TestTenant[] = [];
    for (let count = 0; count < 100; count += 1) tenants.push(await gatewayTenant(test_.db));
    await send(test_.db, tenants, 50);
    await wake(tenants);
    await gateway.when((ledger) => ledger.length === 5_000);
    await untilSent(test_.db, 5_000);
    expect(gateway.ledger().filter((entry) => entry.taken !== 1)).toEqual([]);
    const [first, second] = processes.dispatch.map(attempts);
    expect(first! + second!).toBe(5_000);
    expect(Math.min(first!, second!)).toBeGreaterThan(500);
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
    const bothTookPart = () => Math.min(...processes.dispatch.map(attempts)) > 0;
    // The second turn may go to the worker that has the first: wiped again, until the other one has a turn too.
    do {
      await client.flushall();
      await wake([tenant]);
    } while (!bothTookPart() && gateway.ledger().length < 500);
    await client.quit();
    await gateway.when((ledger) => ledger.length === 500);
    await untilSent(test_.db, 500);
    expect(gateway.ledger().filter((entry) => entry.taken !== 1)).toEqual([]);
    expect(bothTookPart()).toBe(true);
  },
  3 * minute,
);
