import type { LinkWatcher } from '@notify/db/whatsapp';
import type { StreamLife } from '../http/stream-end.ts';

/** One open stream about a link. */
export interface LinkStream extends LinkWatcher {
  /** Gives the stream its link's current state, as `watchLinks` reports it; null ends the stream. */
  tell(state: string | null): void;
  end(): void;
  readonly ended: AbortSignal;
  /** Yields each time the state changes. Changes between two reads count once. Ends with the stream. */
  changes(): AsyncIterable<void>;
}

/** A stream that has no state yet, and this life. */
export function openLinkStream(watcher: LinkWatcher, life: StreamLife): LinkStream {
  const { ended } = life;
  let told: string | null = null;
  let news = Promise.withResolvers<void>();
  const settle = (): void => news.resolve();
  ended.addEventListener('abort', settle);
  if (ended.aborted) settle();

  return {
    ...watcher,
    ...life,
    tell(state) {
      if (state === null) return life.end();
      if (state === told) return;
      told = state;
      news.resolve();
    },
    async *changes() {
      for (;;) {
        await news.promise;
        if (ended.aborted) return;
        news = Promise.withResolvers();
        yield;
      }
    },
  };
}
