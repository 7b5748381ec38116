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
