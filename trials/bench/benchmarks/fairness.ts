import { once } from 'node:events';
import { createServer } from 'node:net';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Db } from '@notify/db/connection';
import { openWaker, prepareQueue, type Waker } from '@notify/queue';
import {
  addDeliveries,
  makeTenant,
  startProcess,
  startReceiver,
  type TestDatabase,
  testDatabase,
} from '@notify/testkit';
import type { Environment } from '../environment/environment.ts';
import { subscribe } from '../environment/tenants.ts';
import { type Figure, plain, ratio } from '../report.ts';
import { quantile } from '../../kit/statistics.ts';
import type { Benchmark } from './benchmark.ts';

const webhooks = 100;
const blackHoles = [0, 1, 10, 50] as const;
const everyMs = 2_000;
/** Longest wait for events still in flight, in ms. */
const drainMs = 30_000;

/**
 * The effect of black holes on their neighbours: 100 webhooks get an event every 2 s each, and k of them never
 * answer. Measures the time of the others' events from insert to arrival, beside a run without black holes.
 */
export const fairness: Benchmark = {
  name: 'fairness',
  async run(environment, { seconds }, say) {
    // The first run pays for compiling and loading. Counted, it would flatter the ratios.
    await measure(environment, 0, seconds * 1_000);
    const figures: Figures[] = [];
    for (const count of blackHoles) {
      const one = await measure(environment, count, seconds * 1_000);
      say(
        `${count} black holes: ${one.delivered} of ${one.posted}, p50 ${one.p50Ms} ms, p99 ${one.p99Ms} ms`,
      );
      figures.push(one);
    }
    return figures.slice(1).flatMap((one) => figuresOf(one, figures[0]!));
  },
};

function figuresOf(one: Figures, none: Figures): Figure[] {
  const name = `p99 ms beside ${one.blackHoles} black holes of ${webhooks}`;
  return [
    ratio('fairness', [name, [one.p99Ms]], ['beside none', [none.p99Ms]], null),
    plain('fairness', `delivered beside ${one.blackHoles}`, [one.delivered / one.posted], '', { atLeast: 1 }),
  ];
}

interface Figures {
  readonly blackHoles: number;
  /** Events to the webhooks that answer. */
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

async function measure(environment: Environment, count: number, measuredMs: number): Promise<Figures> {
  await using database: TestDatabase = await testDatabase();
  const queue = { redisUrl: environment.redisUrl, databaseUrl: database.url };
  await prepareQueue(queue);
  const waker = openWaker({ ...queue, partitions: 1, onError: () => undefined });
  const receiver = await startReceiver();
  const hole = await startBlackHole();
  const worker = await startProcess('webhook-worker', {
    ...queue,
    dataDir: environment.dir,
    logFile: path.join(environment.dir, 'webhook-worker.log'),
    env: environment.env,
  });
  await worker.ready();
  const urls = Array.from({ length: webhooks }, (_, index) => (index < count ? hole.url : receiver.url));
  const ids = await makeWebhooks(database.db, environment, urls);
  const posted = await post(database.db, waker, ids, measuredMs);
  const drained = AbortSignal.timeout(drainMs);
  const expected = posted.slice(count).reduce((sum, one) => sum + one, 0);
  while (receiver.received.length < expected && !drained.aborted) await wait(50);
  const took = receiver.received.map(({ at, body }) => at - sentAt(body));
  await worker.stop();
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

async function makeWebhooks(db: Db, { secrets }: Environment, urls: readonly string[]): Promise<string[]> {
  const { tenantId } = await makeTenant(db);
  return Promise.all(urls.map((url) => subscribe(db, secrets, tenantId, url)));
}

function sentAt(body: Buffer): number {
  const { at } = JSON.parse(body.toString()) as { at: number };
  return at;
}

/**
 * Gives each webhook one event per interval, the webhooks evenly spread over it. Returns the number of events of
 * each.
 */
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
