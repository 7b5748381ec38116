import { ApiProblem } from '../../../api/failure.ts';
import type { PageOf } from '../../../api/listed.ts';

/** What was read of a list. */
export interface ReadAll<Item> {
  readonly items: readonly Item[];
  /** Whether there are more than `most`. */
  readonly isCut: boolean;
}

/**
 * Reads a list page by page, up to `most` items that `wanted` accepts. `onCount` hears how many there are after each page.
 * Rejects with the signal's reason once it is aborted.
 */
export async function readAll<Item>(
  read: (cursor: string | undefined) => Promise<PageOf<Item>>,
  {
    most,
    wanted = () => true,
    onCount,
    signal,
  }: {
    readonly most: number;
    readonly wanted?: (item: Item) => boolean;
    readonly onCount: (count: number) => void;
    readonly signal: AbortSignal;
  },
): Promise<ReadAll<Item>> {
  const items: Item[] = [];
  let cursor: string | undefined;
  for (;;) {
    const page = await patiently(() => read(cursor), signal);
    items.push(...page.data.filter(wanted));
    onCount(Math.min(items.length, most));
    if (items.length > most) return { items: items.slice(0, most), isCut: true };
    if (page.nextCursor === null) return { items, isCut: false };
    cursor = page.nextCursor;
  }
}

/** What became of many calls. */
export interface Ended {
  readonly done: number;
  /** The first reason of each kind that a call was refused for, and how often. */
  readonly refused: ReadonlyMap<string, number>;
}

/**
 * Calls something for each of many, one after the other. A refused call does not keep the others back. Without an answer
 * it ends: the calls that were left count as refused, for that reason.
 */
export async function forEach<Item>(
  items: readonly Item[],
  run: (item: Item) => Promise<unknown>,
  { onCount, signal }: { readonly onCount: (count: number) => void; readonly signal: AbortSignal },
): Promise<Ended> {
  const refused = new Map<string, number>();
  let done = 0;
  for (const [index, item] of items.entries()) {
    if (signal.aborted) break;
    try {
      await patiently(() => run(item), signal);
      done += 1;
    } catch (failure) {
      if (signal.aborted) break;
      const isAnswered = failure instanceof ApiProblem;
      const { message } = failure as Error;
      refused.set(message, (refused.get(message) ?? 0) + (isAnswered ? 1 : items.length - index));
      if (!isAnswered) break;
    }
    onCount(index + 1);
  }
  return { done, refused };
}

/** Calls once more where the api asks to wait. */
async function patiently<Answer>(call: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> {
  for (;;) {
    signal.throwIfAborted();
    try {
      return await call();
    } catch (failure) {
      if (!(failure instanceof ApiProblem) || failure.code !== 'rate-limited') throw failure;
      await pause((failure.retryAfterSeconds ?? 1) * 1_000, signal);
    }
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
