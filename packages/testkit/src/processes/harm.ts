import type { Db } from '@notify/db/connection';
import { withSweepLock } from '@notify/db/maintenance';
import { openWaker, type TurnKind } from '@notify/queue';
import type { Checkpoint } from '@notify/runtime';
import { Redis } from 'ioredis';
import { preloadOf } from './preloads.ts';
import type { RunningProcess } from './processes.ts';

/** The harm that a module of `../preload` does to a worker when it reaches a checkpoint for the `nth` time. */
export interface Harm {
  readonly does: 'kill-at' | 'block';
  readonly checkpoint: Checkpoint;
  readonly nth?: number;
  /** How long the worker is blocked, in ms. */
  readonly ms?: number;
}

export interface HarmfulOptions {
  readonly db: Db;
  readonly databaseUrl: string;
  /** The URL of the server. Each harmed worker has its own logical database there, and so its own queue. */
  readonly redisUrl: string;
  readonly kind: TurnKind;
  /** Starts a worker on this queue, with these settings. */
  readonly start: (
    redisUrl: string,
    preload: readonly string[],
    env?: Readonly<Record<string, string>>,
  ) => Promise<RunningProcess>;
}

/** Harms workers, each during turns that no other worker knows of. */
export interface Harmful extends AsyncDisposable {
  /**
   * Starts a worker with the settings `env`, runs `first` when it is ready, wakes `ids` for it alone, and waits for
   * `until`. A few such workers run at once, and the others wait for a place.
   */
  suffer(
    ids: readonly string[],
    harm: Harm,
    first: () => Promise<void>,
    until: (worker: RunningProcess) => Promise<void>,
    env?: Readonly<Record<string, string>>,
  ): Promise<void>;
  /** The queue of the unharmed workers. */
  readonly survivorsUrl: string;
  /** Makes a survivor take a turn of `id`. */
  wakeSurvivor(id: string): Promise<void>;
  /** Lets the sweepers run. Until then they are stopped, because they would wake overdue ids in every worker. */
  sweep(): Promise<void>;
}

/** Stops the sweepers of a database in which no worker runs yet. */
export async function startHarmful(options: HarmfulOptions): Promise<Harmful> {
  const { db, databaseUrl, redisUrl, kind, start } = options;
  const queues = new Pool([1, 2, 3, 4].map((number) => `${redisUrl}/${number}`));
  const survivorsUrl = `${redisUrl}/0`;
  const started: RunningProcess[] = [];
  const sweeper = await holdSweeper(db, kind);
  return {
    async suffer(ids, harm, first, until, env) {
      const queue = await queues.take();
      try {
        await empty(queue);
        const worker = await start(queue, [preloadOf(harm)], env);
        started.push(worker);
        await worker.ready();
        await first();
        await wake({ redisUrl: queue, databaseUrl }, kind, ids);
        await until(worker);
      } finally {
        queues.give(queue);
      }
    },
    survivorsUrl,
    wakeSurvivor: (id) => wake({ redisUrl: survivorsUrl, databaseUrl }, kind, [id]),
    sweep: () => sweeper.release(),
    async [Symbol.asyncDispose]() {
      await sweeper.release();
      await Promise.all(started.map((worker) => worker.stop()));
    },
  };
}

/** For `until`: waits until the worker is killed as planned. Throws with the worker's output if it ends by itself. */
export async function untilKilled(worker: RunningProcess): Promise<void> {
  if ((await worker.ended()) !== 'SIGKILL')
    throw new Error(`it ended by itself:\n${worker.lines.join('\n')}`);
}

/** Takes the lock that lets one sweeper run at a time. */
async function holdSweeper(db: Db, name: string): Promise<{ release(): Promise<void> }> {
  const held = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const holding = withSweepLock(db, name, () => {
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

async function wake(
  store: { readonly redisUrl: string; readonly databaseUrl: string },
  kind: TurnKind,
  ids: readonly string[],
): Promise<void> {
  const waker = openWaker({ ...store, partitions: 1, onError: () => undefined });
  const wakes = ids.map((id) => ({ lane: 'fast', id, delayMs: 0 }) as const);
  const woken = () =>
    waker.wakeMany(kind, wakes).then(
      () => true,
      () => false,
    );
  // A new waker may not be connected yet.
  while (!(await woken())) await new Promise((resolve) => setTimeout(resolve, 20));
  await waker.close();
}

/** A pool of resources, each used by one caller at a time. */
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
