import type { Query, QueryCache } from '@tanstack/react-query';
import { type ApiProblem, isPassing, type Unreachable } from './failure.ts';

/** What is known about something that does not come: why its last attempt failed, or that there has been no answer. */
export type Wait = ApiProblem | Unreachable | 'unanswered';

/** From then on a wait is told about, in ms. */
export const patienceMs = 3_000;

/** Watches reads for those that nothing comes of. */
export interface ReadWatch {
  /** What is known about the reads that have been waiting for longer than `patienceMs`; null if there are none. */
  readonly wait: Wait | null;
  /** Calls `listener` when `wait` changes. Watches as long as somebody listens. Returns a function that unsubscribes. */
  readonly subscribe: (listener: () => void) => () => void;
}

/** Watches the reads of a cache: those without an answer yet, and those whose attempts fail. */
export function watchReads(cache: QueryCache): ReadWatch {
  const since = new Map<string, number>();
  const listeners = new Set<() => void>();
  let wait: Wait | null = null;
  let timer: ReturnType<typeof setTimeout> | null = null;
  let leave = (): void => undefined;

  function look(): void {
    const waiting = cache.getAll().filter(isWaiting);
    const hashes = new Set(waiting.map(({ queryHash }) => queryHash));
    for (const hash of since.keys()) if (!hashes.has(hash)) since.delete(hash);
    for (const hash of hashes) if (!since.has(hash)) since.set(hash, Date.now());
    const leftMs = (query: Query): number => since.get(query.queryHash)! + patienceMs - Date.now();
    const late = waiting.filter((query) => leftMs(query) <= 0);
    const early = waiting.filter((query) => leftMs(query) > 0);
    stop();
    if (early.length > 0) timer = setTimeout(look, Math.min(...early.map(leftMs)));
    tell(late.length === 0 ? null : (late.map(reasonOf).find((reason) => reason !== null) ?? 'unanswered'));
  }

  function tell(found: Wait | null): void {
    if (found === wait) return;
    wait = found;
    for (const listener of listeners) listener();
  }

  function stop(): void {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  }

  return {
    get wait() {
      return wait;
    },
    subscribe(listener) {
      listeners.add(listener);
      if (listeners.size === 1) {
        leave = cache.subscribe(look);
        look();
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        leave();
        stop();
      };
    },
  };
}

function isWaiting(query: Query): boolean {
  const { fetchStatus, data } = query.state;
  return fetchStatus === 'fetching' && (data === undefined || reasonOf(query) !== null);
}

function reasonOf({ state: { fetchFailureReason } }: Query): ApiProblem | Unreachable | null {
  return isPassing(fetchFailureReason) ? fetchFailureReason : null;
}
