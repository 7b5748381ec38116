import type { LinkWatcher } from '@notify/db/whatsapp';

/** What ends a stream besides its session and its account: its access token, and its reader. */
export interface StreamEnd {
  readonly at: Date;
  readonly signal: AbortSignal;
}

/** One open stream about a link. */
export interface LinkStream extends LinkWatcher {
  /** What its link is at now, as `watchLinks` says it; null ends it. */
  tell(state: string | null): void;
  end(): void;
  readonly ended: AbortSignal;
  /** Yields each time something else was told; what was told meanwhile counts once. Ends with the stream. */
  changes(): AsyncIterable<void>;
}

/** A stream that has been told nothing yet. */
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
