import { createHook } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { openWaker, type Waker } from '@notify/queue';
import { Redis } from 'ioredis';
import pg from 'pg';
import { startRedis } from '../queues/redis.ts';
import { type Cost, figures } from './budget.ts';

/** Counts what work costs: in this process, and in a Redis that nothing else uses. */
export interface CostCounter extends AsyncDisposable {
  /** The queue of the work that is counted. */
  readonly waker: Waker;
  /**
   * What one run costs. Time adds to a run, never takes away: a cache ends, a timer fires, a connection opens. So each figure
   * is the least of some runs, and the same on every machine. `prepare` is not counted. Each run begins with an empty queue.
   */
  of<T>(prepare: () => Promise<T>, run: (prepared: T) => Promise<unknown>): Promise<Cost>;
}

/** They open connections and fill caches. */
const warmUps = 2;
/** On a busy machine, time adds something to a third of them. */
const runs = 12;
/** In ms: an earlier wake of the same id delays none of a run. */
const longerThanCoalescing = 60;

/** Starts the Redis, and counts the statements of all clients of `pg` until it is disposed of. */
export async function openCostCounter(): Promise<CostCounter> {
  const redis = await startRedis();
  const client = new Redis(redis.url);
  const statements = countStatements();
  const timers = countTimers();
  const { waker, ...wakes } = countWakes(
    openWaker({ redisUrl: redis.url, databaseUrl: '', partitions: 1, onError: () => undefined }),
  );
  const read = async (): Promise<Cost> => ({
    statements: statements.count,
    roundTrips: statements.roundTrips,
    wakes: wakes.count(),
    timers: timers.count,
    redisCommands: await commandsOf(client),
  });

  /** What a run leaves to go on without it, such as the look for early receipts, belongs to it. */
  async function untilQuiet(): Promise<void> {
    for (let calm = 0; calm < 3;) {
      const before = statements.count;
      await new Promise(setImmediate);
      await wakes.sent();
      calm = statements.underWay === 0 && statements.count === before ? calm + 1 : 0;
    }
  }

  async function once<T>(prepare: () => Promise<T>, run: (prepared: T) => Promise<unknown>): Promise<Cost> {
    const prepared = await prepare();
    await untilQuiet();
    await wait(longerThanCoalescing);
    await client.flushall();
    const before = await read();
    await run(prepared);
    await untilQuiet();
    return difference(await read(), before);
  }

  return {
    waker,
    async of(prepare, run) {
      for (let time = 0; time < warmUps; time += 1) await once(prepare, run);
      const costs: Cost[] = [];
      for (let time = 0; time < runs; time += 1) costs.push(await once(prepare, run));
      return costs.reduce(least);
    },
    async [Symbol.asyncDispose]() {
      timers.stop();
      statements.stop();
      await waker.close();
      client.disconnect();
      await redis.stop();
    },
  };
}

function difference(after: Cost, before: Cost): Cost {
  return combined((figure) => after[figure] - before[figure]);
}

function least(one: Cost, other: Cost): Cost {
  return combined((figure) => Math.min(one[figure], other[figure]));
}

function combined(of: (figure: keyof Cost) => number): Cost {
  return Object.fromEntries(figures.map((figure) => [figure, of(figure)])) as unknown as Cost;
}

/** Counts statements where they enter `pg`, and as round trips those that find no other under way on their connection. */
function countStatements() {
  const { prototype } = pg.Client;
  // oxlint-disable-next-line typescript/unbound-method -- it is called on each client
  const query = prototype.query as (...args: unknown[]) => unknown;
  const underWay = new WeakMap<object, number>();
  const counted = {
    count: 0,
    roundTrips: 0,
    underWay: 0,
    stop: () => void (prototype.query = query as never),
  };
  function counting(this: object, ...args: unknown[]): unknown {
    const before = underWay.get(this) ?? 0;
    counted.count += 1;
    if (before === 0) counted.roundTrips += 1;
    const answer = query.apply(this, args);
    if (!(answer instanceof Promise)) return answer;
    underWay.set(this, before + 1);
    counted.underWay += 1;
    const end = (): void => {
      underWay.set(this, underWay.get(this)! - 1);
      counted.underWay -= 1;
    };
    answer.then(end, end);
    return answer;
  }
  prototype.query = counting as never;
  return counted;
}

/** Counts the timers that our own code begins, also by `node:timers/promises`. */
function countTimers() {
  const counted = { count: 0, stop: () => void hook.disable() };
  const hook = createHook({
    init(_id, type) {
      if (type === 'Timeout' && isOurs(callerOf(new Error().stack ?? ''))) counted.count += 1;
    },
  });
  hook.enable();
  return counted;
}

/** The line of a stack that called `setTimeout` or one of its kin. The first two are the error and the hook. */
function callerOf(stack: string): string {
  const [, , ...lines] = stack.split('\n');
  return lines.find((line) => !/node:(internal\/)?(async_hooks|timers)/.test(line)) ?? 'node:';
}

/** Those of packages and of Node, such as that of the header `Date`, come and go with time. */
function isOurs(line: string): boolean {
  return !line.includes('node:') && !line.includes('/node_modules/');
}

/** Counts the wakes that a waker is asked for, and knows when all have been sent. */
function countWakes(waker: Waker) {
  let count = 0;
  const sending = new Set<Promise<unknown>>();
  function noted(wakes: number, sent: Promise<void>): Promise<void> {
    count += wakes;
    const ended = sent.catch(() => undefined).finally(() => sending.delete(ended));
    sending.add(ended);
    return sent;
  }
  const counting: Waker = {
    ...waker,
    wake: (...args) => noted(1, waker.wake(...args)),
    wakeMany: (kind, wakes) => noted(wakes.length, waker.wakeMany(kind, wakes)),
  };
  return {
    waker: counting,
    count: () => count,
    async sent(): Promise<void> {
      while (sending.size > 0) await Promise.all(sending);
    },
  };
}

/** The commands that Redis has run, those inside scripts included, except for the looks at them. */
async function commandsOf(client: Redis): Promise<number> {
  const stats = await client.info('commandstats');
  const counts = Array.from(stats.matchAll(/^cmdstat_(\S+?):calls=(\d+)/gm), ([, name, calls]) => ({
    name,
    calls: Number(calls),
  }));
  return counts.filter(({ name }) => name !== 'info').reduce((sum, { calls }) => sum + calls, 0);
}
