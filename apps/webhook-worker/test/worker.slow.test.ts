import { randomBytes } from 'node:crypto';
import { setImmediate as nextRound } from 'node:timers/promises';
import type { Db } from '@notify/db/connection';
import { migrate } from '@notify/db/maintenance';
import { openWaker, prepareQueue, type Waker } from '@notify/queue';
import { createLog, createSecrets, loadSettings } from '@notify/runtime';
import {
  addDeliveries,
  hasPrograms,
  makeTenant,
  openTestDb,
  type OwnPostgres,
  type Receiver,
  startOwnPostgres,
  startReceiver,
  startRedis,
  testDatabase,
  testWith,
  webhookRow,
} from '@notify/testkit';
import { sql } from 'kysely';
import { startWebhookWorker, type WebhookWorker } from '../src/worker.ts';
import { makeSealedWebhook } from './sealed-webhooks.ts';

const masterKey = randomBytes(32);
const secrets = createSecrets([{ version: 1, key: masterKey }]);

/** Where the turns are kept. */
type Store = 'postgres' | 'redis';

function environment(databaseUrl: string, redisUrl: string | null): Record<string, string> {
  return {
    NOTIFY_MODE: 'development',
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl ?? '',
    MASTER_KEYS: `1:${masterKey.toString('base64')}`,
    JWT_SECRETS: `a:${randomBytes(32).toString('base64')}`,
    HEALTH_PORT: '0',
  };
}

/** A database, a queue, a receiver, a tenant; everything that is started on it ends with it. */
class Stage implements AsyncDisposable {
  readonly db: Db;
  readonly tenantId: string;
  readonly receiver: Receiver;
  readonly waker: Waker;
  readonly environment: Record<string, string>;
  private readonly stack: AsyncDisposableStack;

  private constructor(
    parts: Pick<Stage, 'db' | 'tenantId' | 'receiver' | 'waker' | 'environment'>,
    stack: AsyncDisposableStack,
  ) {
    this.db = parts.db;
    this.tenantId = parts.tenantId;
    this.receiver = parts.receiver;
    this.waker = parts.waker;
    this.environment = parts.environment;
    this.stack = stack;
  }

  static async open(
    db: Db,
    databaseUrl: string,
    redisUrl: string | null,
    stack: AsyncDisposableStack,
  ): Promise<Stage> {
    await prepareQueue({ databaseUrl, redisUrl });
    const { tenantId } = await makeTenant(db);
    const receiver = stack.use(await startReceiver());
    const waker = openWaker({ databaseUrl, redisUrl, partitions: 1, onError: () => undefined });
    stack.defer(() => waker.close());
    await untilReachable(waker);
    return new Stage(
      { db, tenantId, receiver, waker, environment: environment(databaseUrl, redisUrl) },
      stack,
    );
  }

  async worker(version = 'test'): Promise<WebhookWorker> {
    const settings = loadSettings(this.environment);
    const worker = await startWebhookWorker(settings, createLog({ logLevel: 'silent' }, 'test'), version);
    this.stack.defer(() => worker.close());
    return worker;
  }

  async webhook(url = this.receiver.url): Promise<string> {
    return (await makeSealedWebhook(this.db, secrets, this.tenantId, url)).id;
  }

  /** Adds deliveries and wakes their webhook, as accept and settle do. */
  async send(webhookId: string, count: number): Promise<void> {
    await addDeliveries(this.db, webhookId, count, (index) => JSON.stringify({ webhookId, index }));
    await this.waker
      .wake('webhooks', (await webhookRow(this.db, webhookId)).lane, webhookId)
      .catch(() => undefined);
  }

  /** Waits until nothing waits any more. */
  async untilDelivered(): Promise<void> {
    for (;;) {
      const { rows } = await sql<{
        waiting: number;
      }>`select count(*)::int as waiting from delivery_due`.execute(this.db);
      if (rows[0]!.waiting === 0) return;
      await sql`select pg_sleep(0.05)`.execute(this.db);
    }
  }

  /** The attempts of all deliveries: the body that was posted, and how it ended. */
  async attempts(): Promise<{ readonly body: string; readonly end: string }[]> {
    const { rows } = await sql<{ body: string; end: string }>`
      select e.body, coalesce(a.error, a.status::text) as end
      from delivery_attempts a join deliveries d on d.id = a.delivery_id join events e on e.id = d.event_id`.execute(
      this.db,
    );
    return rows;
  }

  async states(): Promise<Record<string, number>> {
    const { rows } = await sql<{ state: string; count: number }>`
      select state, count(*)::int as count from deliveries group by state`.execute(this.db);
    return Object.fromEntries(rows.map((row) => [row.state, row.count]));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.stack.disposeAsync();
  }
}

/** A waker connects by itself, and rejects until it has. */
async function untilReachable(waker: Waker): Promise<void> {
  for (;;) {
    try {
      return await waker.ping();
    } catch {
      await nextRound();
    }
  }
}

async function stageOn(store: Store): Promise<Stage> {
  const stack = new AsyncDisposableStack();
  const database = stack.use(await testDatabase());
  let redisUrl: string | null = null;
  if (store === 'redis') {
    const redis = await startRedis();
    stack.defer(() => redis.stop());
    redisUrl = redis.url;
  }
  return Stage.open(database.db, database.url, redisUrl, stack);
}

const allStores: readonly Store[] = hasPrograms('redis-server') ? ['postgres', 'redis'] : ['postgres'];

test.each(allStores)(
  'two workers with turns in %s share many webhooks, and post again only what timed out',
  async (store) => {
    await using stage = await stageOn(store);
    const webhooks = await Promise.all(Array.from({ length: 30 }, () => stage.webhook()));
    await Promise.all([stage.worker('a'), stage.worker('b')]);
    await Promise.all(webhooks.map((webhook) => stage.send(webhook, 20)));
    await stage.untilDelivered();
    expect(await stage.states()).toEqual({ delivered: 600 });
    // This process is worker and receiver at once. Where it gets little CPU time, a post takes longer than its deadline.
    const attempts = await stage.attempts();
    const answered = attempts.filter(({ end }) => end !== 'timeout');
    expect(answered.filter(({ end }) => end !== '200')).toEqual([]);
    expect(answered).toHaveLength(600);
    expect(new Set(answered.map(({ body }) => body)).size).toBe(600);
    const unposted = attempts.map(({ body }) => body);
    for (const { body } of stage.receiver.received) {
      const index = unposted.indexOf(body.toString());
      expect(index).not.toBe(-1);
      unposted.splice(index, 1);
    }
    const agents = new Set(stage.receiver.received.map((request) => request.headers['user-agent']));
    expect(agents).toEqual(new Set(['Notify/a', 'Notify/b']));
  },
);

test.concurrent.each(allStores)(
  'with turns in %s a lost wake, and one for the wrong lane, cost a delay only',
  async (store) => {
    await using stage = await stageOn(store);
    const [lost, wrong] = [await stage.webhook(), await stage.webhook()];
    await stage.worker();
    await addDeliveries(stage.db, lost, 3);
    await addDeliveries(stage.db, wrong, 3);
    await stage.waker.wake('webhooks', 'slow', wrong);
    await stage.untilDelivered();
    expect(await stage.states()).toEqual({ delivered: 6 });
  },
);

test.concurrent(
  'while Postgres is away, what was answered is settled when it is back, and deliveries go on',
  async () => {
    const stack = new AsyncDisposableStack();
    const server: OwnPostgres = await startOwnPostgres();
    stack.defer(() => server.remove());
    const db = openTestDb(server.url);
    stack.defer(() => db.destroy());
    await migrate(db);
    await using stage = await Stage.open(db, server.url, null, stack);
    const webhook = await stage.webhook();
    await stage.worker();
    stage.receiver.behave({ delayMs: 1_000 });
    await stage.send(webhook, 1);
    await stage.receiver.next();
    await server.stop();
    await server.start();
    await addDeliveries(db, webhook, 5);
    await stage.untilDelivered();
    expect(await stage.states()).toEqual({ delivered: 6 });
  },
);

testWith('redis-server')('health: ready as soon as Postgres and the queue answer', async () => {
  await using stage = await stageOn('redis');
  const worker = await stage.worker();
  const ask = (path: string) => fetch(`http://127.0.0.1:${worker.healthPort}${path}`);
  expect((await ask('/healthz')).status).toBe(200);
  let ready = await ask('/readyz');
  while (ready.status !== 200) ready = await ask('/readyz');
  expect(await ready.json()).toEqual({ status: 'ok', checks: { postgres: 'ok', queue: 'ok', turns: 'ok' } });
});
