import type { Query } from '@tanstack/react-query';

/** The longest interval of a read whose answer stays the same, in ms. A read with a longer one of its own keeps that. */
const longestMs = 15_000;
/** How much longer each interval is than the one before, while nothing changes. */
const growth = 1.3;

/** The interval of a read after this many answers in a row without a change, in ms. */
export function calmMs(everyMs: number, unchanged: number): number {
  return Math.max(everyMs, Math.min(everyMs * growth ** unchanged, longestMs));
}

interface Seen {
  readonly data: unknown;
  readonly answers: number;
  readonly unchanged: number;
}

const seen = new WeakMap<object, Seen>();

/** Counts the latest answers of a query that were equal. Equal answers are the same object (`structuralSharing`). */
export function unchangedAnswers(query: Pick<Query, 'state'>): number {
  const { data, dataUpdateCount: answers } = query.state;
  const last = seen.get(query);
  if (last?.answers === answers) return last.unchanged;
  const unchanged = last !== undefined && last.data === data ? last.unchanged + 1 : 0;
  seen.set(query, { data, answers, unchanged });
  return unchanged;
}
