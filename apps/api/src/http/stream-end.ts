/** The ends of a stream that its request decides: its access token expires, or its reader leaves. */
export interface StreamEnd {
  readonly at: Date;
  readonly signal: AbortSignal;
}

/** Aborted when the stream has ended, by its request or by `end`. */
export interface StreamLife {
  readonly ended: AbortSignal;
  end(): void;
}

export function beginStream({ at, signal }: StreamEnd): StreamLife {
  const ended = new AbortController();
  const end = (): void => {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    ended.abort();
  };
  const timer = setTimeout(end, at.getTime() - Date.now());
  signal.addEventListener('abort', end);
  if (signal.aborted) end();
  return { ended: ended.signal, end };
}
