import type { Db } from '@notify/db/connection';
import { type LinkWatcher, watchLinks } from '@notify/db/whatsapp';
import type { Log } from '@notify/runtime';
import { Problem } from '../http/problem.ts';
import type { StreamEnd } from '../http/stream-end.ts';
import { type LinkStream, openLinkStream } from './link-stream.ts';

/** How many streams a tenant may have open in each process. */
export const maxStreams = 20;
/** How often all open streams are checked, in ms. A change is reported at most this late. */
const lookEveryMs = 500;

/** The open streams about links. One query finds the changes for all of them. */
export interface LinkStreams {
  /**
   * Yields at once, and again at each change of the link. Ends when the session ends, the account is removed or the
   * tenant loses access. Throws a Problem if the tenant has too many streams.
   */
  changes(watcher: LinkWatcher, end: StreamEnd): AsyncIterable<void>;
  /** Ends all streams, and any that opens later. */
  close(): void;
}

/** Queries the database only while a stream is open. */
export function createLinkStreams(db: Db, log: Log): LinkStreams {
  const streams = new Set<LinkStream>();
  const lookNow = looker(db, streams, log);
  let closed = false;
  return {
    changes(watcher, end) {
      const own = [...streams].filter(({ tenantId }) => tenantId === watcher.tenantId);
      if (own.length >= maxStreams) {
        const detail = `A tenant can have ${maxStreams} open streams. Close one first.`;
        throw new Problem('limit-reached', { detail });
      }
      const stream = openLinkStream(watcher, end);
      if (closed) stream.end();
      if (stream.ended.aborted) return stream.changes();
      streams.add(stream);
      stream.ended.addEventListener('abort', () => streams.delete(stream));
      lookNow();
      return stream.changes();
    },
    close() {
      closed = true;
      for (const stream of streams) stream.end();
      lookNow();
    },
  };
}

/** Checks all streams when called, and repeatedly while any is open. */
function looker(db: Db, streams: ReadonlySet<LinkStream>, log: Log): () => void {
  let looking = false;
  let failing = false;
  let asked = Promise.withResolvers<void>();

  async function look(): Promise<void> {
    try {
      await tellAll(db, [...streams]);
      failing = false;
    } catch (error) {
      if (!failing) log.tell('links-unreadable', { err: error });
      failing = true;
    }
  }

  async function keepLooking(): Promise<void> {
    looking = true;
    while (streams.size > 0) {
      asked = Promise.withResolvers();
      await look();
      const timer = setTimeout(asked.resolve, lookEveryMs);
      await asked.promise;
      clearTimeout(timer);
    }
    looking = false;
  }

  return () => {
    asked.resolve();
    if (!looking) void keepLooking();
  };
}

async function tellAll(db: Db, streams: readonly LinkStream[]): Promise<void> {
  const states = await watchLinks(db, streams);
  for (const [index, stream] of streams.entries()) stream.tell(states[index] ?? null);
}
