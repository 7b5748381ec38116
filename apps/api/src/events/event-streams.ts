import { type Db, isDatabaseAway } from '@notify/db/connection';
import {
  type EventFilter,
  type EventPage,
  type StoredEvent,
  type Looker,
  type Pass,
  type Place,
  readEvents,
} from '@notify/db/events';
import type { Bearer } from '@notify/db/tenants';
import type { Log } from '@notify/runtime';
import { createSharedPlaces } from '@notify/turns';
import { setTimeout as wait } from 'node:timers/promises';
import { beginStreamIn, type StreamEnd, type StreamRoom } from '../http/stream-end.ts';
import { createPoller, type Poller, type PollerClock, processClock, type Reader } from './poller.ts';

/** How many streams of events a tenant may have open in each process. */
export const maxEventStreams = 20;
/**
 * And all tenants together. A stream takes some 40 KB, and a page of events while its client reads slowly. A tenth is kept for tenants
 * that have none.
 */
export const maxInAll = 1_000;

/** What a stream reads at once. The next page is read when the client has taken it. There may be thousands of streams. */
const pageSize = { limit: 50, maxBytes: 500_000 };

/** How long a stream waits while the database is away, in ms. */
const awayMs = 1_000;

/** An event, or null for a sign that there was none, with the place after it. `at`: the database's clock. */
export interface StreamedEvent {
  readonly place: Place;
  readonly event: StoredEvent | null;
  readonly at: Date;
}

/** A place, and the history that it belongs to (`Look.history`). The stream ends with the history. */
export interface Begin {
  readonly place: Place;
  readonly history: string;
  /** Default: all events. */
  readonly filter?: EventFilter | undefined;
}

/** The open streams of events. One poller finds the news for all of them. */
export interface EventStreams {
  readonly db: Db;
  readonly poller: Poller;
  readonly room: StreamRoom;
}

/** Queries the database only while a stream is open. `clock`: when it does; by default the time of this process. */
export function createEventStreams(
  db: Db,
  looker: Looker,
  days: number,
  log: Log,
  clock: PollerClock = processClock,
): EventStreams {
  const room = {
    places: createSharedPlaces({ total: maxInAll, perOwner: maxEventStreams }),
    ownTaken: `A tenant can have ${maxEventStreams} open streams of events. Close one first.`,
  };
  return { db, poller: createPoller({ db, looker, days, log, clock }), room };
}

/**
 * Yields the place at once, then the events after it. Ends when the bearer ends, the tenant loses access, or all places are
 * taken and a tenant with fewer streams needs this one. Throws a Problem if the tenant has too many streams.
 */
export function streamedEvents(
  { db, poller, room }: EventStreams,
  bearer: Bearer,
  end: StreamEnd,
  { place, history, filter }: Begin,
): AsyncIterable<StreamedEvent> {
  const life = beginStreamIn(room, bearer.tenantId, end);
  const reader: Reader = { ...bearer, ...life, history, waiting: null };
  poller.add(reader);
  return follow(reader, { place, filter }, poller, db);
}

/** Ends all streams, and any that opens later. */
export function closeEventStreams({ poller }: EventStreams): void {
  poller.close();
}

async function* follow(
  reader: Reader,
  begin: Omit<Begin, 'history'>,
  poller: Poller,
  db: Db,
): AsyncIterable<StreamedEvent> {
  const { ended } = reader;
  let { place } = begin;
  yield { place, event: null, at: new Date() };
  while (!ended.aborted) {
    if (!('to' in place)) {
      const next = await poller.next(reader, place.from);
      if (next === null) return;
      place = next;
      if (!('to' in place)) yield { place, event: null, at: new Date() };
      continue;
    }
    const page = await readPatiently(db, reader, place, begin.filter);
    if (page === null) return;
    for (const event of page.events) {
      if (ended.aborted) return;
      yield { place: { ...place, after: event.id }, event, at: page.at };
    }
    place = page.next ?? { from: place.to };
  }
}

/** The next page, as soon as the database has it. Null when the stream has ended. */
async function readPatiently(
  db: Db,
  { tenantId, ended }: Reader,
  pass: Pass,
  filter: EventFilter | undefined,
): Promise<EventPage | null> {
  while (!ended.aborted) {
    try {
      return await readEvents(db, tenantId, pass, pageSize, filter);
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      await wait(awayMs, undefined, { signal: ended }).catch(() => undefined);
    }
  }
  return null;
}
