import { ApiProblem } from './failure.ts';

const firstMs = 1_000;
const longestMs = 15_000;
/** A `Retry-After` beyond this is not believed. */
const longestAskedMs = 3_600_000;

/** The wait before a call is repeated after so many failures before this one, in ms: twice as long each time, up to 15 s, and never less than the api asks for. */
export function waitMs(failures: number, failure: unknown): number {
  const asked = failure instanceof ApiProblem ? (failure.retryAfterSeconds ?? 0) : 0;
  return Math.max(Math.min(longestMs, firstMs * 2 ** failures), Math.min(longestAskedMs, asked * 1_000));
}
