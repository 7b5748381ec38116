import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Db, withSweepLock } from '@notify/db';
import { openWaker } from '@notify/queue';
import type { Point } from '@notify/runtime';
import {
  freePort,
  type RunningProcess,
  type SmsGateway,
  startProcess,
  startRedis,
  startSmsGateway,
  testDatabase,
} from '@notify/testkit';
import { Redis } from 'ioredis';

/** What a worker is made to suffer, by a module of `chaos/preload`, the `nth` time it gets to a point. */
export interface Harm {
  readonly does: 'kill-at' | 'block';
  readonly point: Point;
  readonly nth?: number;
  /** How long it is blocked. */
  readonly ms?: number;
  /** Done when the worker is ready, before it is woken. */
  readonly first: () => Promise<void>;
}

/** An installation whose workers are harmed at points, each while it works on one message alone. */
export interface Crashes extends AsyncDisposable {
  readonly db: Db;
  readonly gateway: SmsGateway;
  readonly api: RunningProcess;
  /**
   * Starts a worker with a module loaded before, lets it do `first` and take a turn of the account, and then whatever
   * `until` waits for. A few such workers run at once, the others wait.
   */
  suffer(harm: Harm, accountId: string, until: (worker: RunningProcess) => Promise<void>): Promise<void>;
  /** Has the surviving worker take a turn of the account. */
  wakeSurvivor(accountId: string): Promise<void>;
  /** Lets the sweepers run, which until now nobody may; from here on no worker is alone with its message. */
  sweep(): Promise<void>;
}

const main = path.join(import.meta.dirname, 'quick-worker.ts');
const preloads = path.resolve(import.meta.dirname, '../../../chaos/preload');

/** The address of a module of `chaos/preload`, with its parameters. */
function preload(name: string, parameters: Readonly<Record<string, string | number>>): string {
  const url = pathToFileURL(path.join(preloads, name));
  for (const [key, value] of Object.entries(parameters)) url.searchParams.set(key, String(value));
  return url.href;
}

/** Starts an api, a gateway and a worker. Each doomed worker has a logical database of Redis, and so a queue, of its own. */
export async function startCrashes(): Promise<Crashes> {
  await using starting = new AsyncDisposableStack();
  const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-crashes-'));
  starting.defer(() => rm(dataDir, { recursive: true, force: true }));
  const { db, url: databaseUrl } = starting.use(await testDatabase());
  const redis = await startRedis();
  starting.defer(() => redis.stop());
  const gateway = starting.use(await startSmsGateway());
  const sweeper = await holdSweeper(db);
  starting.defer(() => sweeper.release());
  const port = await freePort();
  const env = {
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    RECEIPT_WAIT_SECONDS: '1',
    DATABASE_CONNECTIONS: '5',
    NODE_COMPILE_CACHE: path.join(dataDir, 'compiled'),
  };
  const queueOf = (number: number): string => `${redis.url}/${number}`;
  const options = { databaseUrl, dataDir, env };
  const worker = (queue: number, modules: readonly string[]): Promise<RunningProcess> =>
    startProcess('dispatch-worker', { ...options, redisUrl: queueOf(queue), main, preload: modules });
  const survivor = await worker(0, []);
  starting.defer(() => survivor.stop());
  const api = await startProcess('api', { ...options, port, redisUrl: queueOf(15) });
  starting.defer(() => api.stop());
  await Promise.all([api.ready(), survivor.ready()]);
  const queues = new Pool([1, 2, 3, 4]);
  const started = starting.move();
  return {
    db,
    gateway,
    api,
    async suffer({ does, first, ...parameters }, accountId, until) {
      const queue = await queues.take();
      try {
        await empty(queueOf(queue));
        const doomed = await worker(queue, [preload(`${does}.ts`, parameters)]);
        started.defer(() => doomed.stop());
        await doomed.ready();
        await first();
        await wake(queueOf(queue), databaseUrl, accountId);
        await until(doomed);
      } finally {
        queues.give(queue);
      }
    },
    wakeSurvivor: (accountId) => wake(queueOf(0), databaseUrl, accountId),
    sweep: () => sweeper.release(),
    [Symbol.asyncDispose]: () => started.disposeAsync(),
  };
}

/** Takes the lock that one sweeper at a time has, so that until `release` no worker is told of another's messages. */
async function holdSweeper(db: Db): Promise<{ release(): Promise<void> }> {
  const held = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const holding = withSweepLock(db, 'dispatch', () => {
    held.resolve();
    return over.promise;
  });
  await held.promise;
  return {
    async release() {
      over.resolve();
      await holding;
    },
  };
}

async function empty(redisUrl: string): Promise<void> {
  const client = new Redis(redisUrl);
  await client.flushdb();
  await client.quit();
}

async function wake(redisUrl: string, databaseUrl: string, accountId: string): Promise<void> {
  const waker = openWaker({ redisUrl, databaseUrl, partitions: 1, onError: () => undefined });
  // A waker that has just been opened may not be connected yet.
  while (
    !(await waker.wake('dispatch', 'fast', accountId).then(
      () => true,
      () => false,
    ))
  )
    await new Promise((resolve) => setTimeout(resolve, 20));
  await waker.close();
}

/** Things of which each is used by one at a time. */
class Pool<T> {
  private readonly free: T[];
  private readonly waiting: ((one: T) => void)[] = [];

  constructor(all: readonly T[]) {
    this.free = [...all];
  }

  async take(): Promise<T> {
    return this.free.pop() ?? new Promise((resolve) => this.waiting.push(resolve));
  }

  give(one: T): void {
    const next = this.waiting.shift();
    if (next === undefined) this.free.push(one);
    else next(one);
  }
}
