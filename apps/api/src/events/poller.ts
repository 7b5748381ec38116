import { timeOfId } from '@notify/core';
import type { Db } from '@notify/db/connection';
import {
  type Look,
  type Looker,
  type Pass,
  type Place,
  type Snapshot,
  tenantsWithNews,
} from '@notify/db/events';
import { type Bearer, findUsableBearers } from '@notify/db/tenants';
import type { Log } from '@notify/runtime';
import { setTimeout as wait } from 'node:timers/promises';
import type { StreamLife } from '../http/stream-end.ts';
import { placeAt } from './place.ts';

/** How often the poller looks for new events, in ms. */
const pollMs = 500;
/** How often sessions and service tokens are checked, in ms. */
const bearersMs = 5_000;
/** How long a reader without news waits for its present place, in ms. */
const quietMs = 60_000;
/** A pass that begins further back than this is read without asking whether it has news, in ms. */
const askedMs = 30_000;

/** A stream of a session or a service token. */
export interface Reader extends Bearer, StreamLife {
  readonly history: string;
  /** Set while it waits for news. */
  waiting: Waiting | null;
}

interface Waiting {
  /** What the reader has seen. Moves on while there is nothing for its tenant. */
  from: Snapshot;
  readonly sinceMs: number;
  /** Null: the reader has ended. */
  readonly resolve: (place: Place | null) => void;
}

/** The time of a poller, in ms. `now` has any beginning. */
export interface PollerClock {
  now(): number;
  wait(ms: number): Promise<void>;
}

/** The time of this process. */
export const processClock: PollerClock = { now: () => performance.now(), wait: (ms) => wait(ms) };

export interface PollerOptions {
  readonly db: Db;
  readonly looker: Looker;
  /** How many days of events there are. */
  readonly days: number;
  readonly log: Log;
  readonly clock: PollerClock;
}

/** The open event streams of a process. One poll finds the news of all of them. */
export interface Poller {
  /** Adds a reader until it ends. */
  add(reader: Reader): void;
  /**
   * The pass with the reader's next events, as soon as there are any. Every minute without one, the present place. Null
   * when the reader has ended.
   */
  next(reader: Reader, from: Snapshot): Promise<Place | null>;
  /** Ends all readers, and any that is added later. */
  close(): void;
}

/** Finds the news of all readers of a process. Does nothing while there are none. */
export function createPoller({ db, looker, days, log, clock }: PollerOptions): Poller {
  const readers = new Set<Reader>();
  let polling = false;
  let failing = false;
  let closed = false;

  async function keepPolling(): Promise<void> {
    polling = true;
    let checkedMs = clock.now();
    while (readers.size > 0) {
      await clock.wait(pollMs);
      try {
        if (clock.now() - checkedMs >= bearersMs) {
          await endRevoked(db, [...readers]);
          checkedMs = clock.now();
        }
        await tellNews(db, looker, days, readers, clock.now());
        failing = false;
      } catch (error) {
        if (!failing) log.tell('events-unreadable', { err: error });
        failing = true;
      }
    }
    polling = false;
  }

  return {
    add(reader) {
      if (closed) reader.end();
      if (reader.ended.aborted) return;
      readers.add(reader);
      reader.ended.addEventListener('abort', () => {
        readers.delete(reader);
        settle(reader, null);
      });
      if (!polling) void keepPolling();
    },
    next(reader, from) {
      if (reader.ended.aborted) return Promise.resolve(null);
      const { promise, resolve } = Promise.withResolvers<Place | null>();
      reader.waiting = { from, sinceMs: clock.now(), resolve };
      return promise;
    },
    close() {
      closed = true;
      for (const reader of readers) reader.end();
    },
  };
}

function settle(reader: Reader, place: Place | null): void {
  const { waiting } = reader;
  reader.waiting = null;
  waiting?.resolve(place);
}

async function endRevoked(db: Db, readers: readonly Reader[]): Promise<void> {
  const usable = await findUsableBearers(db, readers);
  for (const reader of readers) if (!usable.has(reader.bearerId)) reader.end();
}

/** Readers that have seen the same are asked for together. Most have: the last poll. */
async function tellNews(
  db: Db,
  looker: Looker,
  days: number,
  readers: ReadonlySet<Reader>,
  nowMs: number,
): Promise<void> {
  if (![...readers].some(({ waiting }) => waiting !== null)) return;
  const look = await looker.look();
  for (const reader of readers) if (reader.history !== look.history) reader.end();
  const waiting = [...readers].filter((reader) => reader.waiting !== null);
  for (const [from, group] of Map.groupBy(waiting, (reader) => reader.waiting!.from))
    await tellGroup(db, look, placeAt({ from }, look, days), group, nowMs);
}

async function tellGroup(
  db: Db,
  look: Look,
  place: Place,
  group: readonly Reader[],
  nowMs: number,
): Promise<void> {
  const tenants = [...new Set(group.map(({ tenantId }) => tenantId))];
  const news = 'to' in place ? await whoHasNews(db, look, place, tenants) : new Set<string>();
  for (const reader of group) {
    if (reader.waiting === null) continue;
    if (news.has(reader.tenantId)) settle(reader, place);
    else if (nowMs - reader.waiting.sinceMs > quietMs) settle(reader, { from: look.snapshot });
    else reader.waiting.from = look.snapshot;
  }
}

/** After a long transaction has ended there are many rows to look at, and readers do that in pages. */
async function whoHasNews(
  db: Db,
  look: Look,
  pass: Pass,
  tenants: readonly string[],
): Promise<ReadonlySet<string>> {
  if (timeOfId(pass.after) < look.at.getTime() - askedMs) return new Set(tenants);
  return tenantsWithNews(db, tenants, pass);
}
