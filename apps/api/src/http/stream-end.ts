import type { SharedPlaces } from '@notify/turns';
import { Problem } from '../problems/problem.ts';

/** The ends of a stream that its request decides: its credential expires, or its reader leaves. */
export interface StreamEnd {
  /** Null: the credential has no end. */
  readonly at: Date | null;
  readonly signal: AbortSignal;
}

/** Aborted when the stream has ended, by its request or by `end`. */
export interface StreamLife {
  readonly ended: AbortSignal;
  end(): void;
}

/** The longest time of a timer, in ms. The periodic check of the credential ends a stream that lasts longer. */
const longestMs = 2 ** 31 - 1;

/** Begins the life of a stream. It ends at `at`, when `signal` is aborted, or by `end`, whichever comes first. */
export function beginStream({ at, signal }: StreamEnd): StreamLife {
  const ended = new AbortController();
  const end = (): void => {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    ended.abort();
  };
  const leftMs = at === null ? Infinity : at.getTime() - Date.now();
  const timer = leftMs > longestMs ? undefined : setTimeout(end, leftMs);
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  return { ended: ended.signal, end };
}

/** The open streams of one kind in a process: places for them, and what a tenant with all of its own is told. */
export interface StreamRoom {
  readonly places: SharedPlaces;
  readonly ownTaken: string;
}

/** When a client may ask again that found no place, in s. */
const retryAfterSeconds = 5;

/**
 * Begins the life of a stream of this tenant, which also ends when its place gives way. One that has ended already takes no
 * place. Throws a Problem if there is no place.
 */
export function beginStreamIn(
  { places, ownTaken }: StreamRoom,
  tenantId: string,
  end: StreamEnd,
): StreamLife {
  const life = beginStream(end);
  if (life.ended.aborted) return life;
  const place = places.enter(tenantId, () => life.end());
  if (typeof place === 'string') {
    life.end();
    throw place === 'own'
      ? new Problem('limit-reached', { detail: ownTaken })
      : new Problem('unavailable', { detail: 'There are too many open streams.', retryAfterSeconds });
  }
  life.ended.addEventListener('abort', () => place.leave());
  return life;
}
