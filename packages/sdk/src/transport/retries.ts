import { ApiError, ConnectionError } from '../errors.ts';

const firstWaitMs = 500;
const maxWaitMs = 8_000;
/** The shortest wait after an answer that asks for patience, with or without `Retry-After`. */
const minRetryAfterMs = 1_000;
/** A longer wait that the service asks for is left to the caller. Its rates are per minute. */
const maxRetryAfterMs = 60_000;

/** Statuses of which any request that may be repeated is repeated. */
const passing: readonly number[] = [408, 429, 500, 502, 503, 504];
/** The status that says that nothing was done. A 503 also comes when the database is lost in the middle of a statement. */
const untouched: readonly number[] = [429];

/**
 * How long to wait before the try after this one, in ms, or null if there shall be none: exponential from 500 ms up to
 * 8 s, minus up to half of it by chance, and never earlier than `Retry-After`. After a 429 or a 503 it is at least 1 s.
 *
 * @param repeatable whether a second request could do harm: then it is repeated only if the first did nothing
 */
export function waitBeforeRetry(
  error: unknown,
  attempt: number,
  repeatable: boolean,
  random = Math.random,
): number | null {
  if (!isPassing(error, repeatable)) return null;
  const backoffMs = Math.min(maxWaitMs, firstWaitMs * 2 ** (attempt - 1)) * (1 - random() / 2);
  const retryAfterMs = error instanceof ApiError ? (error.retryAfterMs ?? 0) : 0;
  return retryAfterMs > maxRetryAfterMs ? null : Math.max(backoffMs, retryAfterMs, leastWaitMs(error));
}

/** The shortest wait after this failure, in ms: 1 s after a 429 or a 503, whatever they say. */
export function leastWaitMs(error: unknown): number {
  return error instanceof ApiError && (error.status === 429 || error.status === 503) ? minRetryAfterMs : 0;
}

function isPassing(error: unknown, repeatable: boolean): boolean {
  if (error instanceof ConnectionError) return repeatable;
  return error instanceof ApiError && (repeatable ? passing : untouched).includes(error.status);
}

/** Resolves after the time. Rejects with the signal's reason if it aborts before. */
export function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- the caller chose the reason
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    if (signal?.aborted) stop();
    else signal?.addEventListener('abort', stop, { once: true });
  });
}
