import type { Log } from '@notify/runtime';
import { answerError } from '../http/answer-problem.ts';
import type { Exchange } from '../http/exchange.ts';
import { Problem } from '../problems/problem.ts';

/** Runs something after so many ms. Returns what prevents that. */
export type Later = (run: () => void, ms: number) => () => void;

/** By the clock of the machine. */
export const laterByClock: Later = (run, ms) => {
  const timer = setTimeout(run, ms);
  return () => clearTimeout(timer);
};

/**
 * Answers 503 if the work on a request has not answered it after so many ms. The work goes on, and counts as in progress until
 * it ends: an early answer lets no more requests in. How it ends is not told, because the provider calls again.
 */
export async function answerInTime(
  work: Promise<void>,
  exchange: Exchange,
  ms: number,
  { log, later }: { readonly log: Log; readonly later: Later },
): Promise<void> {
  let isLate = false;
  const cancel = later(() => {
    if (exchange.response.headersSent) return;
    isLate = true;
    answerError(log, new Problem('unavailable', { detail, retryAfterSeconds: 1 }), exchange);
  }, ms);
  try {
    await work;
  } catch (error) {
    if (!isLate) throw error;
  } finally {
    cancel();
  }
}

const detail = 'The callback could not be stored in time. Call again.';
