import { ApiError, ConnectionError, TimeoutError } from '../errors.ts';
import { type Block, createBlockParser } from './server-sent-events.ts';

/** One connection to the stream of events. */
export interface EventConnection {
  /** The next block; null when the server has ended the stream. Throws when the connection is lost or silent. */
  next(): Promise<Block | null>;
  /** Disconnects. May be called at any time. */
  close(): void;
}

/** When a connection ends, and how long it may be silent. */
export interface EventConnectionOptions {
  readonly signal: AbortSignal | undefined;
  /** How long to wait for the first block, in ms. */
  readonly openMs: number;
  /** How long to wait for each later block, in ms. */
  readonly silentMs: number;
}

/** Sends the request. Rejects if there is no answer, or another one than 200. */
export type OpenStream = (signal: AbortSignal) => Promise<Response>;

/**
 * Connects when the first block is asked for. Reads no further than the caller asks, and measures silence only while the
 * caller waits.
 */
export function connectEvents(open: OpenStream, options: EventConnectionOptions): EventConnection {
  const gone = new AbortController();
  const leave = (): void => gone.abort(options.signal?.reason);
  if (options.signal?.aborted === true) leave();
  options.signal?.addEventListener('abort', leave);
  const parser = createBlockParser();
  const blocks: Block[] = [];
  let reader: ReadableStreamDefaultReader<Uint8Array> | null = null;
  let isFirst = true;

  async function read(): Promise<Block | null> {
    reader ??= readerOf(await open(gone.signal));
    while (blocks.length === 0) {
      const { done, value } = await reader.read().catch(lose);
      if (done) return null;
      blocks.push(...parser.push(value));
    }
    return blocks.shift() ?? null;
  }

  return {
    async next() {
      const limitMs = isFirst ? options.openMs : options.silentMs;
      const stop = blocks.length > 0 ? () => undefined : watchSilence(limitMs, (error) => gone.abort(error));
      try {
        const block = await read();
        isFirst = false;
        return block;
      } catch (error) {
        throw gone.signal.aborted ? gone.signal.reason : error;
      } finally {
        stop();
      }
    },
    close() {
      options.signal?.removeEventListener('abort', leave);
      gone.abort();
    },
  };
}

/**
 * Calls `onSilent` after this time, unless stopped. Asks the clock of the day again and again, because timers stand still
 * while a computer sleeps.
 */
function watchSilence(limitMs: number, onSilent: (error: TimeoutError) => void): () => void {
  let sinceMs = Date.now();
  const timer = setInterval(
    () => {
      sinceMs = Math.min(sinceMs, Date.now());
      if (Date.now() - sinceMs < limitMs) return;
      clearInterval(timer);
      onSilent(new TimeoutError(`The stream was silent for ${Math.round(limitMs / 1_000)} s.`));
    },
    Math.min(limitMs / 10, 1_000),
  );
  return () => clearInterval(timer);
}

function readerOf(response: Response): ReadableStreamDefaultReader<Uint8Array> {
  const type = response.headers.get('content-type') ?? 'without a type';
  if (response.body !== null && type.startsWith('text/event-stream')) return response.body.getReader();
  throw new ApiError({
    code: 'unknown',
    status: response.status,
    title: 'Something else than Notify answered',
    detail: `It is ${type}, not a stream of events. Is the base URL right?`,
  });
}

/** What a body throws differs between runtimes. In Node the reason is in the cause. */
function lose(error: unknown): never {
  const { message, cause } = error as { message?: string; cause?: { message?: string } };
  throw new ConnectionError(`The connection was lost: ${cause?.message || message || String(error)}`, {
    cause: error,
  });
}
