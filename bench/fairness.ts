import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { eventNames } from '@notify/core';
import { createWebhook, type Db } from '@notify/db';
import { openWaker, prepareQueue, type Waker } from '@notify/queue';
import { createLog, createSecrets, loadSettings } from '@notify/runtime';
import { addDeliveries, makeTenant, startReceiver, type TestDatabase, testDatabase } from '@notify/testkit';
import { startWebhookWorker } from '../apps/webhook-worker/src/worker.ts';
import start, { stop } from '../tools/test-services.ts';

/**
 * What black holes do to their neighbours: 100 webhooks get an event every 2 s each, k of them never answer. Prints how
 * long the events of the others took from their insert to their arrival, as a table and as JSON.
 * `node bench/fairness.ts [seconds]`
 */
const webhooks = 100;
const blackHoles = [0, 1, 10, 50];
const everyMs = 2_000;
/** The longest that is waited for what is still on its way, in ms. */
const drainMs = 30_000;
const measuredMs = Number(process.argv[2] ?? 20) * 1_000;

interface Figures {
  readonly blackHoles: number;
  /** To the webhooks that are no black holes. */
  readonly posted: number;
  readonly delivered: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

async function startBlackHole() {
  const server = createServer((socket) => socket.on('error', () => undefined).resume());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { server, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/` };
}

async function measure(count: number): Promise<Figures> {
  await using database: TestDatabase = await testDatabase();
  const masterKey = randomBytes(32);
  const environment = {
    NOTIFY_MODE: 'development',
    DATABASE_URL: database.url,
    REDIS_URL: process.env.TEST_REDIS_URL ?? '',
    MASTER_KEYS: `1:${masterKey.toString('base64')}`,
    JWT_SECRETS: `a:${randomBytes(32).toString('base64')}`,
    HEALTH_PORT: '0',
  };
  const settings = loadSettings(environment);
  const queue = { redisUrl: settings.redisUrl, databaseUrl: database.url };
  await prepareQueue(queue);
  const waker = openWaker({ ...queue, partitions: 1, onError: () => undefined });
  const receiver = await startReceiver();
  const hole = await startBlackHole();
  const worker = await startWebhookWorker(settings, createLog({ logLevel: 'silent' }, 'bench'), 'bench');
  const urls = Array.from({ length: webhooks }, (_, index) => (index < count ? hole.url : receiver.url));
  const ids = await makeWebhooks(database.db, createSecrets([{ version: 1, key: masterKey }]), urls);
  const posted = await post(database.db, waker, ids, measuredMs);
  const drained = AbortSignal.timeout(drainMs);
  const expected = posted.slice(count).reduce((sum, one) => sum + one, 0);
  while (receiver.received.length < expected && !drained.aborted) await wait(50);
  const took = receiver.received.map(({ at, body }) => at - sentAt(body));
  await worker.close();
  await Promise.all([waker.close(), receiver.close()]);
  hole.server.close();
  return {
    blackHoles: count,
    posted: expected,
    delivered: took.length,
    p50Ms: quantile(took, 0.5),
    p99Ms: quantile(took, 0.99),
  };
}

async function makeWebhooks(
  db: Db,
  secrets: ReturnType<typeof createSecrets>,
  urls: readonly string[],
): Promise<string[]> {
  const { tenantId } = await makeTenant(db);
  return Promise.all(
    urls.map(async (url) => {
      const id = randomUUID();
      const secret = secrets.seal(`whsec_${randomBytes(32).toString('base64')}`, {
        tenantId,
        table: 'webhooks',
        row: id,
        column: 'secret',
      });
      await createWebhook(db, { id, tenantId, url, events: eventNames, secret }, webhooks);
      return id;
    }),
  );
}

function sentAt(body: Buffer): number {
  const { at } = JSON.parse(body.toString()) as { at: number };
  return at;
}

/** Gives each webhook an event at its own moment of every interval, from the start: nothing is warmed up. Returns how many each got. */
async function post(db: Db, waker: Waker, ids: readonly string[], forMs: number): Promise<number[]> {
  const until = performance.now() + forMs;
  return Promise.all(
    ids.map(async (id, index) => {
      let posted = 0;
      await wait((everyMs * index) / ids.length);
      while (performance.now() < until) {
        const began = performance.now();
        await addDeliveries(db, id, 1, () => JSON.stringify({ event: 'message.sent', at: Date.now() }));
        await waker.wake('webhooks', 'fast', id);
        posted += 1;
        await wait(Math.max(0, everyMs - (performance.now() - began)));
      }
      return posted;
    }),
  );
}

function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

await start();
try {
  // The first run pays for what is compiled and loaded; counted, it would flatter the ratios.
  await measure(0);
  const figures: Figures[] = [];
  for (const count of blackHoles) figures.push(await measure(count));
  const [base] = figures;
  const table = figures.map((one) => ({
    ...one,
    p50Ratio: Number((one.p50Ms / base!.p50Ms).toFixed(2)),
    p99Ratio: Number((one.p99Ms / base!.p99Ms).toFixed(2)),
  }));
  console.table(table);
  console.log(JSON.stringify({ webhooks, everyMs, measuredMs, figures: table }));
} finally {
  await stop();
}
