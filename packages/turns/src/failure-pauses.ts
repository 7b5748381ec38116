import { setTimeout as wait } from 'node:timers/promises';

/** Delays the next turn of ids whose turns fail. */
export interface FailurePauses {
  /** Resolves when the id may have a turn: at once unless its last one has failed, or when `signal` fires. */
  before(id: string, signal: AbortSignal): Promise<void>;
  /** A turn of the id has failed. */
  failed(id: string): void;
  /** A turn of the id has ended well. */
  worked(id: string): void;
  /** How much longer the id waits, in ms. */
  remainingMs(id: string): number;
}

const firstMs = 250;
const longestMs = 5_000;
/** The most ids kept, because an id may fail once and never have a turn again. */
const keptIds = 10_000;

/**
 * Pauses that double with each failed turn of an id, from 250 ms to 5 s, and end with its first turn that does not
 * fail. If the cause is a database that refuses to work, turns in quick succession would only keep it busy.
 */
export function createFailurePauses(): FailurePauses {
  const failing = new Map<string, { readonly pauseMs: number; readonly until: number }>();

  function remainingMs(id: string): number {
    const until = failing.get(id)?.until;
    return until === undefined ? 0 : Math.max(0, until - performance.now());
  }

  return {
    remainingMs,
    async before(id, signal) {
      const ms = remainingMs(id);
      if (ms > 0) await wait(ms, undefined, { signal }).catch(() => undefined);
    },
    worked(id) {
      failing.delete(id);
    },
    failed(id) {
      const pauseMs = Math.min(longestMs, 2 * (failing.get(id)?.pauseMs ?? firstMs / 2));
      if (failing.size >= keptIds) failing.clear();
      failing.set(id, { pauseMs, until: performance.now() + pauseMs * (0.75 + Math.random() / 2) });
    },
  };
}
