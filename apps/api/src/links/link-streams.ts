import type { Db } from '@notify/db/connection';
import { type LinkWatcher, watchLinks } from '@notify/db/whatsapp';
import type { Log } from '@notify/runtime';
import { createSharedPlaces } from '@notify/turns';
import { beginStreamIn, type StreamEnd, type StreamRoom } from '../http/stream-end.ts';
import { type LinkStream, openLinkStream } from './link-stream.ts';

/** How many streams a tenant may have open in each process. */
export const maxStreams = 20;
/** And all tenants together: each stream is looked at twice a second. */
export const maxStreamsInAll = 1_000;
/** How often all open streams are checked, in ms. A change is reported at most this late. */
const lookEveryMs = 500;

/** The open streams about links. One query finds the changes for all of them. */
export interface LinkStreams {
  readonly open: Set<LinkStream>;
  readonly room: StreamRoom;
  readonly lookNow: () => void;
  closed: boolean;
}

/** Queries the database only while a stream is open. */
export function createLinkStreams(db: Db, log: Log): LinkStreams {
  const open = new Set<LinkStream>();
  const room = {
    places: createSharedPlaces({ total: maxStreamsInAll, perOwner: maxStreams }),
    ownTaken: `A tenant can have ${maxStreams} open streams. Close one first.`,
  };
  return { open, room, lookNow: looker(db, open, log), closed: false };
}

/**
 * Yields at once, and again at each change of the link. Ends when the session ends, the account is removed, the
 * tenant loses access, or all places are taken and a tenant with fewer streams needs this one. Throws a Problem if the tenant
 * has too many streams.
 */
export function linkChanges(
  { open, room, lookNow, closed }: LinkStreams,
  watcher: LinkWatcher,
  end: StreamEnd,
): AsyncIterable<void> {
  const stream = openLinkStream(watcher, beginStreamIn(room, watcher.tenantId, end));
  if (closed) stream.end();
  if (stream.ended.aborted) return stream.changes();
  open.add(stream);
  stream.ended.addEventListener('abort', () => open.delete(stream));
  lookNow();
  return stream.changes();
}

/** Ends all streams, and any that opens later. */
export function closeLinkStreams(streams: LinkStreams): void {
  streams.closed = true;
  for (const stream of streams.open) stream.end();
  streams.lookNow();
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
