import type { LinkWatcher } from '@notify/db/whatsapp';

/** The ends of a stream besides those of its session and account: its access token expires, or its reader leaves. */
export interface StreamEnd {
  readonly at: Date;
  readonly signal: AbortSignal;
}

/** One open stream about a link. */
export interface LinkStream extends LinkWatcher {
  /** Gives the stream its link's current state, as `watchLinks` reports it; null ends the stream. */
  tell(state: string | null): void;
  end(): void;
  readonly ended: AbortSignal;
  /** Yields each time the state changes. Changes between two reads count once. Ends with the stream. */
  changes(): AsyncIterable<void>;
}

/** A stream that has no state yet. */
export function openLinkStream(watcher: LinkWatcher, { at, signal }: StreamEnd): LinkStream {
  const ended = new AbortController();
  let told: string | null = null;
  let news = Promise.withResolvers<void>();
  const end = (): void => {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
    ended.abort();
    news.resolve();
  };
  const timer = setTimeout(end, at.getTime() - Date.now());
  signal.addEventListener('abort', end);
  if (signal.aborted) end();

  return {
    ...watcher,
    end,
    ended: ended.signal,
    tell(state) {
      if (state === null) return end();
      if (state === told) return;
      told = state;
      news.resolve();
    },
    async *changes() {
      for (;;) {
        await news.promise;
        if (ended.signal.aborted) return;
        news = Promise.withResolvers();
        yield;
      }
    },
  };
}
