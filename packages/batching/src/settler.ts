import { setTimeout as wait } from 'node:timers/promises';
import { type DatabaseFault, databaseFault } from '@notify/core';
import { metrics } from '@notify/telemetry';
import type { SettledKind } from './plain-first.ts';

export interface SettlerOptions<Item> {
  /** What the items settle. How many of them wait is shown to operators. */
  readonly kind: SettledKind;
  /** The most items of one run. */
  readonly maxItems: number;
  /** The least time between the beginnings of two runs, in ms, so that under load more items share a run. */
  readonly apartMs: number;
  /**
   * Stores all items in one transaction. A run may be repeated after it has succeeded, so storing an item again must
   * change nothing.
   */
  readonly run: (items: readonly Item[]) => Promise<void>;
  /** Called for each failed run, before it is tried again. */
  readonly onFailure: (error: unknown, items: readonly Item[]) => void;
  /** The most items that may wait before `whenRoom` holds back work; default 5,000. */
  readonly maxWaiting?: number;
}

/**
 * Stores one item and resolves when it is committed. Rejects when the item can never be stored, or when it still fails
 * alone, with an unknown error, at `keepUntil` (by `performance.now()`).
 */
export interface Settle<Item> {
  (item: Item, keepUntil: number): Promise<void>;
  /**
   * Resolves when few enough items wait that work may begin which makes more of them, or when `stopping` fires. Until then
   * providers would be called for answers that nothing can store. Absent: at once.
   */
  readonly whenRoom?: (stopping: AbortSignal) => Promise<void>;
}

interface Entry<Item> {
  readonly item: Item;
  readonly keepUntil: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
  /** How often it has failed alone. From the first time on, it runs without other items. */
  failures: number;
}

/** Pauses between failing runs, in ms: they grow from about `firstMs` to about `lastMs`. */
const pauses: Record<DatabaseFault, { readonly firstMs: number; readonly lastMs: number }> = {
  away: { firstMs: 100, lastMs: 2_000 },
  busy: { firstMs: 20, lastMs: 500 },
  conflict: { firstMs: 10, lastMs: 500 },
  unknown: { firstMs: 20, lastMs: 500 },
  data: { firstMs: 0, lastMs: 0 },
};
/** The most items that wait before no more work begins. Each takes a few KB. What is in work may add to them. */
const mostWaiting = 5_000;
/** The pauses of an item that fails alone while others succeed. */
const ownPause = { firstMs: 100, lastMs: 2_000 };

/**
 * Stores facts in batches that exist only in this process and must not be lost: the answers of providers and receivers.
 * It keeps trying while the database is away or busy. A batch that fails for any other reason is tried again in halves.
 * An item that still fails alone waits aside while the others go on. After each success the batches grow again. While 5,000
 * wait, `whenRoom` holds back work that would add to them.
 */
export function createSettler<Item>(
  options: SettlerOptions<Item>,
): Settle<Item> & Required<Pick<Settle<Item>, 'whenRoom'>> {
  const { maxWaiting = mostWaiting } = options;
  const waiting: Entry<Item>[] = [];
  let atOnce = options.maxItems;
  let failures = 0;
  let notBefore = -Infinity;
  let isWorking = false;
  let unsettled = 0;
  /** What is held back until there is room. */
  const heldBack = new Set<() => void>();
  // A settler lives as long as its process.
  metrics.settlements.waiting.read({ kind: options.kind }, () => unsettled);

  async function work(): Promise<void> {
    isWorking = true;
    await new Promise(setImmediate);
    while (waiting.length > 0) {
      const entries = await nextBatch();
      const beganAt = performance.now();
      const failure = await runOnce(options, entries);
      if (failure === null) {
        failures = 0;
        atOnce = Math.min(options.maxItems, 2 * atOnce);
        notBefore = beganAt + options.apartMs;
      } else {
        failures += 1;
        notBefore = performance.now() + pauseMs(pauses[failure.fault], failures);
        tryLess(entries, failure);
      }
    }
    isWorking = false;
  }

  async function nextBatch(): Promise<Entry<Item>[]> {
    const pause = notBefore - performance.now();
    if (pause > 0) await wait(pause);
    return waiting.splice(0, sizeOf(waiting, atOnce));
  }

  function tryLess(entries: readonly Entry<Item>[], failure: Failure): void {
    const [first, ...others] = entries as [Entry<Item>, ...Entry<Item>[]];
    atOnce = Math.ceil(entries.length / 2);
    if (others.length > 0 || failure.fault === 'away') waiting.unshift(...entries);
    else if (isHopeless(first, failure)) giveUp(first, failure);
    else putAside(first);
  }

  /** Nobody renews its lease, so another process takes it over. */
  function giveUp(entry: Entry<Item>, { error }: Failure): void {
    metrics.leasesLost.inc({ kind: options.kind });
    entry.reject(error);
  }

  function putAside(entry: Entry<Item>): void {
    entry.failures += 1;
    setTimeout(() => add(entry), pauseMs(ownPause, entry.failures));
  }

  function add(entry: Entry<Item>): void {
    waiting.push(entry);
    if (!isWorking) void work();
  }

  function ended(): void {
    unsettled -= 1;
    if (unsettled >= maxWaiting) return;
    for (const goOn of heldBack) goOn();
  }

  /** Resolves at the next room, or when `stopping` fires. `stopping` lives as long as the process, so its listener is removed. */
  async function roomOrStop(stopping: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    heldBack.add(resolve);
    const stop = (): void => resolve();
    stopping.addEventListener('abort', stop, { once: true });
    await promise;
    heldBack.delete(resolve);
    stopping.removeEventListener('abort', stop);
  }

  async function settle(item: Item, keepUntil: number): Promise<void> {
    unsettled += 1;
    try {
      await new Promise<void>((resolve, reject) => add({ item, keepUntil, resolve, reject, failures: 0 }));
    } finally {
      ended();
    }
  }

  return Object.assign(settle, {
    async whenRoom(stopping: AbortSignal) {
      while (unsettled >= maxWaiting && !stopping.aborted) await roomOrStop(stopping);
    },
  });
}

/** The size of the next run: the items before the first that has failed alone, or only that item if it comes first. */
function sizeOf(waiting: readonly Entry<unknown>[], atMost: number): number {
  const failed = waiting.findIndex((entry) => entry.failures > 0);
  return Math.min(atMost, failed === -1 ? waiting.length : Math.max(1, failed));
}

interface Failure {
  readonly error: unknown;
  readonly fault: DatabaseFault;
}

async function runOnce<Item>(
  { run, onFailure }: SettlerOptions<Item>,
  entries: readonly Entry<Item>[],
): Promise<Failure | null> {
  const items = entries.map((entry) => entry.item);
  try {
    await run(items);
  } catch (error) {
    onFailure(error, items);
    return { error, fault: databaseFault(error) ?? 'unknown' };
  }
  for (const entry of entries) entry.resolve();
  return null;
}

/** Whether to give up an item that has failed alone. */
function isHopeless({ keepUntil }: Entry<unknown>, { fault }: Failure): boolean {
  return fault === 'data' || (fault === 'unknown' && performance.now() >= keepUntil);
}

function pauseMs({ firstMs, lastMs }: { firstMs: number; lastMs: number }, failures: number): number {
  return Math.min(lastMs, firstMs * 2 ** (failures - 1)) * (0.75 + Math.random() / 2);
}
