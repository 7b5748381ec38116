import { highestId, lowestIdAt, timeOfId } from '@notify/core';
import { isDatabaseAway } from '../connection/away.ts';
import type { Db, Trx } from '../connection/connect.ts';
import { readInOrder } from '../connection/read-in-order.ts';
import type { MessageFilter } from './filter.ts';
import { findFittingMessages, type MessageRow } from './look-up.ts';
import { type Span, type Step, takeStep } from './search-steps.ts';

/** A search of a tenant's messages, and how long it may take. */
export interface MessageSearch {
  readonly tenantId: string;
  readonly filter: MessageFilter;
  /** Only messages older than the one of this id. */
  readonly before?: string | undefined;
  readonly limit: number;
  /** When to return the messages found so far, in ms. One more step may be running then. */
  readonly budgetMs: number;
}

/** The messages that a search has found so far, newest first. */
export interface MessagePage {
  readonly messages: readonly MessageRow[];
  /** The value of `before` that continues the search. Null when no older message is left. */
  readonly next: string | null;
}

/**
 * Rows that the first statement reads. Few, because the matches are mostly recent and may have to be read from disk.
 */
const firstStep = 500;
const longestStep = 16_000;
/** The target time of one statement, in ms: far below the statement timeout of the pool that serves searches. */
const stepMs = 150;

/** A message's id is made during acceptance, and `created_at` is the beginning of it: at most this much earlier. */
const acceptedWithinMs = 10_000;

/**
 * The matching messages, newest first. An index per filter would make every send dearer. Instead the search walks the
 * tenant's messages from the newest on, by their one index, in steps of a bounded number of rows. Where the filter names
 * few messages, it looks at those only (`search-steps.ts`). It ends when the page is full or large, no message is left, or
 * the budget is used up. So a page may be short or empty and still have a `next`.
 */
export async function searchMessages(db: Db, search: MessageSearch): Promise<MessagePage> {
  const { ids, next } = await db.transaction().execute(async (trx) => {
    await readInOrder(trx);
    return walkDown(trx, search);
  });
  const { messages, endedAt } = await findFittingMessages(db, search.tenantId, ids);
  return { messages, next: endedAt ?? next };
}

async function walkDown(trx: Trx, search: MessageSearch): Promise<Step> {
  const { filter, limit, budgetMs } = search;
  const range = rangeOf(search);
  const ids: string[] = [];
  let next: string | null = range.before;
  let rows = isAny(filter) ? limit + 1 : firstStep;
  for (let leftMs = budgetMs; next !== null;) {
    const beganAt = performance.now();
    const span: Span = { ...range, before: next, rows, wanted: limit + 1 - ids.length };
    const step: Step | null = await takeStep(trx, search, span).catch((error: unknown) => {
      // The messages found so far are an answer, and the next search continues from here.
      if (span.before !== range.before && isDatabaseAway(error)) return null;
      throw error;
    });
    if (step === null) break;
    ids.push(...step.ids);
    next = ids.length > limit ? ids[limit - 1]! : step.next;
    const tookMs = performance.now() - beganAt;
    leftMs -= tookMs;
    if (ids.length > limit || leftMs <= 0) break;
    rows = nextStep(rows, tookMs, leftMs);
  }
  return { ids: ids.slice(0, limit), next };
}

/** The rows that fit into the time of a step, or into the rest of the budget, judged by the last step. */
function nextStep(rows: number, tookMs: number, leftMs: number): number {
  const fitting = (rows * Math.min(stepMs, leftMs)) / Math.max(tookMs, 1);
  return Math.floor(Math.min(Math.max(fitting, firstStep), rows * 4, longestStep));
}

/** Whether nearly every message matches, so that the first rows are most likely the page. */
function isAny({ direction, from: _from, until: _until, ...filters }: MessageFilter): boolean {
  return direction !== 'inbound' && Object.values(filters).every((filter) => filter === undefined);
}

/** The id range of possible matches: from the first, up to before the second. */
function rangeOf({ filter, before }: MessageSearch): { readonly from: string; readonly before: string } {
  const from = filter.from === undefined ? lowestIdAt(new Date(0)) : idAt(filter.from.getTime());
  const until = filter.until === undefined ? highestId : idAt(filter.until.getTime() + acceptedWithinMs);
  return { from, before: before !== undefined && before < until ? before : until };
}

function idAt(ms: number): string {
  return lowestIdAt(new Date(Math.max(0, ms)));
}

/** The time that a search has reached if it continues before this id. */
export function searchedTo(next: string): Date {
  return new Date(timeOfId(next));
}
