import { setTimeout as wait } from 'node:timers/promises';
import { type DatabaseFault, databaseFault } from '@notify/core';

export interface BatcherOptions<Item, Result> {
  /** The most items of one run, counted by `weigh` if it is given. A heavier item runs alone. */
  readonly maxItems: number;
  /** How many items one counts as; default 1. Things that belong together form one item, which is never split. */
  weigh?(item: Item): number;
  /** Concurrent runs; default 1. While they run, the next batch collects. */
  readonly concurrency?: number;
  /**
   * The least time between the beginnings of two runs, in ms, so that under load more items share a run. After a pause,
   * an item runs at once. Default 0.
   */
  readonly apartMs?: number;
  /** The longest that an item waits for its run, in ms. Then it leaves and rejects with `Overdue`. Default: no limit. */
  readonly maxWaitMs?: number;
  /**
   * Does the work for all items in one transaction and returns results in their order. Sorts its rows by primary key.
   */
  run(items: readonly Item[]): Promise<readonly Result[]>;
}

export interface Batcher<Item, Result> {
  /** Joins the next batch. Rejects when the item is at fault, or when its batch could not be run. */
  add(item: Item): Promise<Result>;
  /** Items that have been added and not answered. */
  readonly pending: number;
}

/** An item waited too long and was never run. */
export class Overdue extends Error {
  override readonly name = 'Overdue';
}

interface Entry<Item, Result> {
  readonly item: Item;
  /** When it began to wait, by `performance.now()`. */
  readonly at: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Collects single items into batches: an item that comes while nothing runs goes at once, and items that come during a
 * run share the next one. A batch that fails on its data is halved until only the guilty item fails. After an unknown
 * error, the batch is run once more and then halved too. After a conflict with another transaction, it is only run
 * again. If the database is away or busy, the whole batch fails.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const waiting: Entry<Item, Result>[] = [];
  const { concurrency = 1, apartMs = 0, maxWaitMs = Infinity } = options;
  let beganAt = -Infinity;
  let running = 0;
  let pending = 0;
  let scheduled = false;
  let isWatched = maxWaitMs === Infinity;

  /** The first that waits is the one that has waited longest. */
  function watch(): void {
    const [first] = waiting;
    if (isWatched || first === undefined) return;
    isWatched = true;
    setTimeout(rejectOverdue, Math.max(1, first.at + maxWaitMs - performance.now())).unref();
  }

  function rejectOverdue(): void {
    isWatched = false;
    const since = performance.now() - maxWaitMs;
    const fresh = waiting.findIndex(({ at }) => at > since);
    const overdue = waiting.splice(0, fresh === -1 ? waiting.length : fresh);
    for (const { reject } of overdue) reject(new Overdue('waited too long for its batch'));
    watch();
  }

  function schedule(): void {
    if (scheduled || waiting.length === 0 || running >= concurrency) return;
    scheduled = true;
    const waitMs = beganAt + apartMs - performance.now();
    if (waitMs > 0) setTimeout(start, waitMs);
    else setImmediate(start);
  }

  function start(): void {
    scheduled = false;
    beganAt = performance.now();
    while (running < concurrency && waiting.length > 0) {
      running += 1;
      void runEntries(options, takeBatch(options, waiting)).finally(() => {
        running -= 1;
        schedule();
      });
    }
  }

  return {
    get pending() {
      return pending;
    },
    async add(item) {
      pending += 1;
      try {
        return await new Promise<Result>((resolve, reject) => {
          waiting.push({ item, at: performance.now(), resolve, reject });
          schedule();
          watch();
        });
      } finally {
        pending -= 1;
      }
    },
  };
}

/** Takes as many from the front as fit into one run, at least one. */
function takeBatch<Item, Result>(
  options: BatcherOptions<Item, Result>,
  waiting: Entry<Item, Result>[],
): Entry<Item, Result>[] {
  let weight = 0;
  let count = 0;
  for (const { item } of waiting) {
    weight += options.weigh?.(item) ?? 1;
    if (count > 0 && weight > options.maxItems) break;
    count += 1;
  }
  return waiting.splice(0, count);
}

/** Runs the entries as one batch, or in halves if their data is at fault. Settles every entry; never rejects. */
async function runEntries<Item, Result>(
  options: BatcherOptions<Item, Result>,
  entries: readonly Entry<Item, Result>[],
): Promise<void> {
  try {
    const results = await withRetries(() => options.run(entries.map((entry) => entry.item)));
    entries.forEach((entry, index) => entry.resolve(results[index] as Result));
  } catch (error) {
    if (entries.length === 1 || !mayBeOneItem(error)) {
      for (const entry of entries) entry.reject(error);
      return;
    }
    const middle = entries.length >> 1;
    await runEntries(options, entries.slice(0, middle));
    await runEntries(options, entries.slice(middle));
  }
}

/** The most runs of a batch before its failure counts. Other faults get one run. */
const tries: Partial<Record<DatabaseFault, number>> = { conflict: 8, unknown: 2 };

async function withRetries<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      const fault = databaseFault(error);
      if (fault === null || attempt >= (tries[fault] ?? 1)) throw error;
      await wait(Math.random() * 10 * 2 ** attempt);
    }
  }
}

/** Whether a part of the batch may succeed: the database has answered, and the fault may lie in one item. */
function mayBeOneItem(error: unknown): boolean {
  const fault = databaseFault(error);
  return fault === 'data' || fault === 'unknown';
}
