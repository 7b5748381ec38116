import { setTimeout as wait } from 'node:timers/promises';
import type { Entry } from './entry.ts';
import type { Answer } from './post.ts';

/** How long to wait before each repetition, in ms; the last value repeats. */
const retryWaitsMs = [1_000, 2_000, 4_000, 8_000];
/** How long to wait while the receiver takes no connections, in ms. */
const awayWaitsMs = [250, 500, 1_000, 2_000];

/** One attempt, and what follows from it. */
export interface Attempt {
  readonly entry: Entry;
  readonly answer: Answer;
  readonly durationMs: number;
  /** 1, 2, …; attempts without a connection do not count. */
  readonly number: number;
  readonly next: 'none' | 'retry' | 'hold' | 'give-up';
  /** Null if there is no other attempt. */
  readonly retryInMs: number | null;
}

/** How an event is forwarded. */
export interface DeliveryOptions {
  /** How many times an event is repeated that the receiver answered with anything but 2xx. */
  readonly retries: number;
  readonly post: (entry: Entry) => Promise<Answer>;
  readonly onAttempt: (attempt: Attempt) => void;
  /** Ends waiting. An attempt in progress goes on. */
  readonly stop: AbortSignal;
}

/**
 * Forwards one event. An answer other than 2xx, or none in time, is repeated a few times; then the event is given up. While
 * the receiver takes no connections, the event is held for as long as that lasts: the developer has stopped the program,
 * and wants its events afterwards. Resolves with false if it was stopped before there was a result.
 */
export async function deliver(
  entry: Entry,
  { retries, post, onAttempt, stop }: DeliveryOptions,
): Promise<boolean> {
  for (let number = 1, held = 0; !stop.aborted;) {
    const beganMs = performance.now();
    const answer = await post(entry);
    const durationMs = Math.round(performance.now() - beganMs);
    const next = nextOf(answer, number, retries);
    const retryInMs = waitOf(next, number, held);
    onAttempt({ entry, answer, durationMs, number, next, retryInMs });
    if (retryInMs === null) return true;
    if (next === 'hold') held += 1;
    else number += 1;
    await wait(retryInMs, undefined, { signal: stop }).catch(() => undefined);
  }
  return false;
}

function nextOf(answer: Answer, number: number, retries: number): Attempt['next'] {
  if (answer.kind === 'away') return 'hold';
  if (answer.kind === 'answered' && answer.status >= 200 && answer.status < 300) return 'none';
  return number > retries ? 'give-up' : 'retry';
}

function waitOf(next: Attempt['next'], number: number, held: number): number | null {
  switch (next) {
    case 'hold':
      return awayWaitsMs[Math.min(held, awayWaitsMs.length - 1)] ?? null;
    case 'retry':
      return retryWaitsMs[Math.min(number, retryWaitsMs.length) - 1] ?? null;
    case 'none':
    case 'give-up':
      return null;
  }
}
