import { ApiProblem, failureOf, LoggedOut } from '../api/failure.ts';
import { readEvents } from '../api/server-events.ts';
import { type LiveEvent, readLiveEvent } from './live-event.ts';

/** Who is told about the stream. */
export interface Watcher {
  /** The stream is open, so nobody has to poll. */
  opened(): void;
  /** There is no stream for now. */
  closed(): void;
  event(event: LiveEvent): void;
  /** Events may have been missed, so everything that depends on them must be read again. */
  missed(): void;
}

/** Where the stream goes on. Survives a pause of the watching. */
export interface Place {
  cursor: string | null;
}

const firstWaitMs = 1_000;
const longestWaitMs = 60_000;
/** The api writes a comment at least every 15 s. */
const silentMs = 45_000;

/**
 * Reads the stream and opens it again whenever it ends or breaks: after the last event, and after growing waits. Returns
 * when the signal aborts or the session ends.
 */
export async function watch(
  open: (cursor: string | null, signal: AbortSignal) => Promise<Response>,
  place: Place,
  watcher: Watcher,
  signal: AbortSignal,
  wait: (ms: number, signal: AbortSignal) => Promise<void> = elapsed,
): Promise<void> {
  for (let waitMs = firstWaitMs; !signal.aborted; waitMs = Math.min(2 * waitMs, longestWaitMs)) {
    try {
      await readOnce(
        open,
        place,
        { ...watcher, opened: () => ((waitMs = firstWaitMs), watcher.opened()) },
        signal,
      );
    } catch (error) {
      if (error instanceof LoggedOut) break;
      if (error instanceof ApiProblem && error.code === 'cursor-expired') place.cursor = null;
    }
    if (signal.aborted) break;
    watcher.closed();
    await wait(waitMs, signal);
  }
  watcher.closed();
}

async function readOnce(
  open: (cursor: string | null, signal: AbortSignal) => Promise<Response>,
  place: Place,
  watcher: Watcher,
  signal: AbortSignal,
): Promise<void> {
  const { cursor } = place;
  const answer = await open(cursor, signal);
  if (!answer.ok) throw await failureOf(answer);
  if (answer.body === null) return;
  watcher.opened();
  if (cursor === null) watcher.missed();
  for await (const { id, data } of readEvents(answer.body, silentMs)) {
    place.cursor = id ?? place.cursor;
    const event = data === null ? null : readLiveEvent(data);
    if (event !== null) watcher.event(event);
  }
}

function elapsed(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
