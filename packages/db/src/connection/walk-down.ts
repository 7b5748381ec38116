import { highestId, lowestIdAt } from '@notify/core';
import { isDatabaseAway } from './away.ts';

/** A search for the newest rows that match, and how long it may take. */
export interface Walk {
  /** Only rows before this id are looked at. */
  readonly before: string;
  readonly limit: number;
  /** When to return what was found so far, in ms. One more step may be running then. */
  readonly budgetMs: number;
  /** Whether nearly every row matches, so that the first rows are most likely the page. */
  readonly isAny: boolean;
}

/** What one step looks at. */
export interface Span {
  /** Only rows before this id. */
  readonly before: string;
  /** How many rows it may read. */
  readonly rows: number;
  /** How many matches it should find. */
  readonly wanted: number;
}

/** The matches, newest first, and the id before which the search continues. Null when no older row is left. */
export interface Step {
  readonly ids: readonly string[];
  readonly next: string | null;
}

/**
 * Rows that the first statement reads. Few, because the matches are mostly recent and may have to be read from disk.
 */
const firstStep = 500;
const longestStep = 16_000;
/** The target time of one statement, in ms: far below the statement timeout of the pool that serves searches. */
const stepMs = 150;

/**
 * Finds the newest matching rows of a tenant where no index has what is asked for: in steps of a bounded number of rows, each as long as
 * its time allows. It ends when `limit` matches are found, no row is left, or the budget is used up. So it may find few or none and
 * still have a `next`.
 */
export async function walkDown(
  { before, limit, budgetMs, isAny }: Walk,
  look: (span: Span) => Promise<Step>,
): Promise<Step> {
  const ids: string[] = [];
  let next: string | null = before;
  let rows = isAny ? limit + 1 : firstStep;
  for (let leftMs = budgetMs; next !== null;) {
    const beganAt = performance.now();
    const span: Span = { before: next, rows, wanted: limit + 1 - ids.length };
    const step: Step | null = await look(span).catch((error: unknown) => {
      // What was found so far is an answer, and the next search continues from here.
      if (span.before !== before && isDatabaseAway(error)) return null;
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

/** A row's id is made while its transaction runs, and `created_at` is the beginning of that: at most this much earlier. */
const acceptedWithinMs = 10_000;

/** The ids that rows of a time can have: from the first, up to before the second, which is no later than the place `before`. */
export function idRange(
  { from, until }: { readonly from?: Date | undefined; readonly until?: Date | undefined },
  before: string | undefined,
): { readonly from: string; readonly before: string } {
  const first = from === undefined ? lowestIdAt(new Date(0)) : lowestIdAt(from);
  const end = until === undefined ? highestId : lowestIdAt(new Date(until.getTime() + acceptedWithinMs));
  return { from: first, before: before !== undefined && before < end ? before : end };
}
