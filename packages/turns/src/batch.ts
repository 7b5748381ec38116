import { setTimeout as wait } from 'node:timers/promises';
import { type DatabaseFault, databaseFault } from '@notify/core';

export interface BatcherOptions<Item, Result> {
  /** Items that go into one run at most; counted by `weigh` where it is given. A heavier item runs alone. */
  readonly maxItems: number;
  /** How many items one counts as; default 1. What belongs together is one item, and is never cut apart. */
  weigh?(item: Item): number;
  /** Runs in flight at once; default 1. While they run, the next batch gathers. */
  readonly concurrency?: number;
  /**
   * Runs begin at least so many ms apart, so that under load more go together; what comes after a pause goes at once all
   * the same. Default 0.
   */
  readonly apartMs?: number;
  /** Does the work for all items in one transaction and answers in their order. Sorts its rows by primary key. */
  run(items: readonly Item[]): Promise<readonly Result[]>;
}

export interface Batcher<Item, Result> {
  /** Joins the next batch. Rejects when the item itself is at fault, or when its batch could not be run. */
  add(item: Item): Promise<Result>;
  /** Items that have been added and not answered. */
  readonly pending: number;
}

interface Entry<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers single items into batches: an item that comes while nothing runs goes at once, what comes during a run goes
 * together in the next. A batch that fails on its data is halved until only the guilty item fails. One that fails for a
 * reason nobody knows is tried again first, and then halved, too. Conflicts with other transactions are only tried again.
 * Where the database is away or busy, the whole batch fails.
 */
export function createBatcher<Item, Result>(options: BatcherOptions<Item, Result>): Batcher<Item, Result> {
  const waiting: Entry<Item, Result>[] = [];
  const { concurrency = 1, apartMs = 0 } = options;
  let beganAt = -Infinity;
  let running = 0;
  let pending = 0;
  let scheduled = false;

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
          waiting.push({ item, resolve, reject });
          schedule();
        });
      } finally {
        pending -= 1;
      }
    },
  };
}

/** Takes from the front as many as fit into one run, at least one. */
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

/** Runs the entries as one batch, or in halves where their data is at fault. Settles every entry; never rejects. */
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

/** How often a batch is run at most before its failure counts. What is not named is run once. */
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

/** Whether a part of the batch may succeed: the database has answered, and nothing says that it refuses everybody. */
function mayBeOneItem(error: unknown): boolean {
  const fault = databaseFault(error);
  return fault === 'data' || fault === 'unknown';
}
