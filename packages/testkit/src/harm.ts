import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Db } from '@notify/db/connection';
import { withSweepLock } from '@notify/db/maintenance';
import { openWaker, type TurnKind } from '@notify/queue';
import type { Checkpoint } from '@notify/runtime';
import { Redis } from 'ioredis';
import type { RunningProcess } from './processes.ts';

/** What a worker is made to suffer, by a module of `chaos/preload`, the `nth` time it gets to a checkpoint. */
export interface Harm {
  readonly does: 'kill-at' | 'block';
  readonly checkpoint: Checkpoint;
  readonly nth?: number;
  /** How long it is blocked. */
  readonly ms?: number;
}

export interface HarmfulOptions {
  readonly db: Db;
  readonly databaseUrl: string;
  /** Of the server; each worker that is harmed has a logical database of it, and so a queue, of its own. */
  readonly redisUrl: string;
  readonly kind: TurnKind;
  /** Starts a worker on this queue. */
  readonly start: (redisUrl: string, preload: readonly string[]) => Promise<RunningProcess>;
}

/** Harms workers, each while it takes one turn that no other worker knows of. */
export interface Harmful extends AsyncDisposable {
  /**
   * Starts a worker and, when it is ready, does `first`, wakes `id` for it alone, and waits for `until`. A few such
   * workers run at once, the others wait for their place.
   */
  suffer(
    id: string,
    harm: Harm,
    first: () => Promise<void>,
    until: (worker: RunningProcess) => Promise<void>,
  ): Promise<void>;
  /** The queue of workers that nobody harms. */
  readonly survivorsUrl: string;
  /** Has a survivor take a turn of `id`. */
  wakeSurvivor(id: string): Promise<void>;
  /** Lets the sweepers run, which until then nobody may, for they would tell each worker of all that is overdue. */
  sweep(): Promise<void>;
}

const preloads = path.resolve(import.meta.dirname, '../../../chaos/preload');

/** Stops the sweepers of a database in which no worker runs yet. */
export async function startHarmful(options: HarmfulOptions): Promise<Harmful> {
  const { db, databaseUrl, redisUrl, kind, start } = options;
  const queues = new Pool([1, 2, 3, 4].map((number) => `${redisUrl}/${number}`));
  const survivorsUrl = `${redisUrl}/0`;
  const started: RunningProcess[] = [];
  const sweeper = await holdSweeper(db, kind);
  return {
    async suffer(id, harm, first, until) {
      const queue = await queues.take();
      try {
        await empty(queue);
        const worker = await start(queue, [moduleOf(harm)]);
        started.push(worker);
        await worker.ready();
        await first();
        await wake({ redisUrl: queue, databaseUrl }, kind, id);
        await until(worker);
      } finally {
        queues.give(queue);
      }
    },
    survivorsUrl,
    wakeSurvivor: (id) => wake({ redisUrl: survivorsUrl, databaseUrl }, kind, id),
    sweep: () => sweeper.release(),
    async [Symbol.asyncDispose]() {
      await sweeper.release();
      await Promise.all(started.map((worker) => worker.stop()));
    },
  };
}

/** For `until`: the worker was killed where it should be; throws, with what it wrote, when it ended by itself. */
export async function untilKilled(worker: RunningProcess): Promise<void> {
  if ((await worker.ended()) !== 'SIGKILL')
    throw new Error(`it ended by itself:\n${worker.lines.join('\n')}`);
}

/** The URL of the module that does it, for `preload`. */
export function moduleOf({ does, ...parameters }: Harm): string {
  const url = pathToFileURL(path.join(preloads, `${does}.ts`));
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, String(value));
  return url.href;
}

/** Takes the lock that one sweeper at a time has. */
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
  id: string,
): Promise<void> {
  const waker = openWaker({ ...store, partitions: 1, onError: () => undefined });
  const woken = () =>
    waker.wake(kind, 'fast', id).then(
      () => true,
      () => false,
    );
  // A waker that has just been opened may not be connected yet.
  while (!(await woken())) await new Promise((resolve) => setTimeout(resolve, 20));
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
