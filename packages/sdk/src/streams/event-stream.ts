import { ApiError, ConnectionError } from '../errors.ts';
import { leastWaitMs } from '../transport/retries.ts';
import { connectEvents, type EventConnection } from './event-connection.ts';
import type { Block } from './server-sent-events.ts';

/** An event of the stream, as a webhook would get it. */
export interface StreamedEvent<Event> {
  /** Continues after this event: store it once you have processed the event. */
  readonly cursor: string;
  /** The headers that sign the body, with the secret of `events.getSecret()`. */
  readonly headers: Readonly<Record<string, string>>;
  /** The raw JSON, as it was signed. */
  readonly body: string;
  /** The body, parsed. */
  readonly event: Event;
}

/** What happened to the connection of a stream. */
export type ConnectionChange =
  /** The first block has arrived: for the first time, or after a loss. `attempt`: how many attempts it took. */
  | { readonly state: 'open' | 'resumed'; readonly attempt: number; readonly error?: undefined }
  /**
   * The connection broke (`attempt` is 0), or an attempt to connect failed (1, 2, …). The next attempt begins in `retryInMs`.
   */
  | {
      readonly state: 'lost';
      readonly attempt: number;
      readonly error: Error;
      readonly retryInMs: number;
    };

/** How a stream ends, and whom it tells about its connection. */
export interface EventStreamOptions {
  /** Ends the iteration, without an error. */
  readonly signal?: AbortSignal | undefined;
  /** Called at every change of the connection. */
  readonly onConnection?: ((change: ConnectionChange) => void) | undefined;
  /**
   * Called with the cursor of a block without an event: when the stream opens, and every minute without events. A program
   * that stores it also continues after more than 7 quiet days.
   */
  readonly onCursor?: ((cursor: string) => void) | undefined;
  /** A stream without any block for so long is lost, in ms. The server sends at least one a minute. Default: 90 000. */
  readonly silentMs?: number | undefined;
}

/** Requests the stream after this cursor; from now if null. Rejects with an `ApiError` if the answer is not 200. */
export type OpenEventStream = (cursor: string | null, signal: AbortSignal) => Promise<Response>;

/** How long a new connection may take until its first block, in ms. */
const openMs = 30_000;
const shortestWaitMs = 500;
const longestWaitMs = 30_000;
/** The longest wait that the service may ask for, in ms. A timer of more than 24 days would end at once. */
const maxRetryAfterMs = 3_600_000;
/** A connection that lasted so long ends a series of failures, in ms. One that delivers an event does, too. */
const steadyMs = 10_000;

/** How far a stream has got. */
interface Progress {
  cursor: string | null;
  /** Whether there has ever been a connection. */
  opened: boolean;
  /** The present attempt to connect; 0 once its first block has arrived. */
  attempt: number;
  /** When the first block of the present connection arrived, in ms; null before. */
  openedAtMs: number | null;
  /** Waits in a row that brought nothing. */
  waits: number;
}

/**
 * Yields the events after the cursor, forever and at the pace of its consumer. Reconnects by itself and continues after
 * the last event that it yielded: it skips none and yields none twice. Throws what reconnecting cannot repair: an
 * `ApiError` such as `cursor-expired` or a refused credential.
 */
export async function* streamEvents<Event>(
  open: OpenEventStream,
  begin: string | null,
  options: EventStreamOptions = {},
): AsyncGenerator<StreamedEvent<Event>, void, undefined> {
  const { signal, silentMs = 90_000 } = options;
  const progress: Progress = { cursor: begin, opened: false, attempt: 0, openedAtMs: null, waits: 0 };
  while (!isAborted(signal)) {
    progress.attempt += 1;
    progress.openedAtMs = null;
    let error: Error = new ConnectionError('The server ended the stream.');
    try {
      const limits = { signal, silentMs, openMs: Math.min(openMs, silentMs) };
      yield* eventsOf<Event>(
        connectEvents((gone) => open(progress.cursor, gone), limits),
        progress,
        options,
      );
    } catch (caught) {
      if (isAborted(signal)) return;
      if (!isPassing(caught, progress.opened)) throw caught;
      error = caught;
    }
    await lose(error, progress, options);
  }
}

/** The events of one connection. Closes it. */
async function* eventsOf<Event>(
  connection: EventConnection,
  progress: Progress,
  { onConnection, onCursor }: EventStreamOptions,
): AsyncGenerator<StreamedEvent<Event>, void, undefined> {
  try {
    for (let block = await connection.next(); block !== null; block = await connection.next()) {
      if (progress.openedAtMs === null) {
        onConnection?.({ state: progress.opened ? 'resumed' : 'open', attempt: progress.attempt });
        Object.assign(progress, { opened: true, attempt: 0, openedAtMs: Date.now() });
      }
      const streamed = readEvent<Event>(block);
      progress.cursor = block.id || progress.cursor;
      if (streamed !== null) {
        progress.waits = 0;
        yield streamed;
      } else if (progress.cursor !== null) onCursor?.(progress.cursor);
    }
  } finally {
    connection.close();
  }
}

/** Says that the connection was lost, and waits before the next attempt. */
async function lose(error: Error, progress: Progress, options: EventStreamOptions): Promise<void> {
  const { openedAtMs, attempt } = progress;
  if (openedAtMs !== null && Date.now() - openedAtMs >= steadyMs) progress.waits = 0;
  const retryInMs = waitBefore(progress.waits, error);
  progress.waits += 1;
  options.onConnection?.({ state: 'lost', attempt, error, retryInMs });
  await pause(retryInMs, options.signal);
}

function isAborted(signal: AbortSignal | undefined): boolean {
  return signal?.aborted === true;
}

/** Null for a block without an event, or with one of a kind that a later version may add. */
function readEvent<Event>({ id, event, data }: Block): StreamedEvent<Event> | null {
  if (data === null || (event !== '' && event !== 'message')) return null;
  try {
    const { headers, body } = JSON.parse(data) as Pick<StreamedEvent<Event>, 'headers' | 'body'>;
    return { cursor: id, headers, body, event: JSON.parse(body) as Event };
  } catch (cause) {
    throw new ConnectionError('The stream has an event that cannot be read.', { cause });
  }
}

/**
 * Whether another attempt can succeed. An answer that is not the service's own is a proxy's while the service restarts,
 * if a stream has been open before. Streams that a proxy still holds open count towards the limit for a while.
 */
function isPassing(error: unknown, opened: boolean): error is ApiError | ConnectionError {
  if (!(error instanceof ApiError)) return error instanceof ConnectionError;
  const { status, code } = error;
  if (status >= 500 || status === 408 || status === 429) return true;
  return opened && (code === 'limit-reached' || code === 'unknown');
}

/**
 * Doubles with every attempt, with jitter, so that clients do not come back all at once. Never before `Retry-After`, up to an hour,
 * and at least 1 s after a 429 or a 503.
 */
function waitBefore(attempt: number, error: Error): number {
  const longestMs = Math.min(longestWaitMs, shortestWaitMs * 2 ** attempt);
  const wantedMs = error instanceof ApiError ? Math.min(error.retryAfterMs ?? 0, maxRetryAfterMs) : 0;
  return Math.max(wantedMs, leastWaitMs(error), Math.round(longestMs * (0.5 + Math.random() / 2)));
}

/** Resolves after this time, or when the signal is aborted. */
function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done);
    if (isAborted(signal)) done();
  });
}
