import type { Wake } from '@notify/core';
import type { TurnKind, Waker } from '@notify/queue';
import type { Log } from '@notify/runtime';

/** The waker, and the log of its failures. */
export interface Wakes {
  readonly waker: Waker;
  readonly log: Log;
}

/**
 * Asks for a turn without waiting for the queue. If the queue is away, this is only a delay, because the sweeper
 * repeats the wake.
 */
export function wakeSoon({ waker, log }: Wakes, kind: TurnKind, { lane, id }: Wake): void {
  if (log.tells('wakes-sent')) log.tell('wakes-sent', { kind, wakes: 1, id });
  waker.wake(kind, lane, id).catch((error: unknown) => log.tell('wake-failed', { err: error, kind, id }));
}

/** Asks for many turns in one call to the queue. */
export function wakeAll(waker: Waker, log: Log, kind: TurnKind, wakes: readonly Wake[]): void {
  if (wakes.length === 0) return;
  if (log.tells('wakes-sent')) log.tell('wakes-sent', { kind, wakes: wakes.length });
  waker.wakeMany(kind, wakes).catch((error: unknown) => log.tell('wake-failed', { err: error, kind }));
}
