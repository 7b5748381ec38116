import { randomUUID } from 'node:crypto';
import { isOwnedLane, type Lane, ownedLanes, type Wake } from '@notify/core';
import { metrics } from '@notify/telemetry';
import { type BulkJobOptions, type IQueueBackend, Queue } from 'bullmq';
import type { Backend, OnError, OnMoved } from './backend.ts';
import { coalesceWakes } from './coalesce-wakes.ts';
import { type PartitionCounts, partitionOf, partitionsOf, queueName, type TurnKind } from './partitions.ts';
import { openBackend, type QueueStore } from './store.ts';
import { within } from './time-limit.ts';

/**
 * Requests turns. A wake that rejects only delays a turn, because the sweeper finds overdue work. While the store is
 * away, a wake rejects within about a second, and none is kept in memory for later.
 */
export interface Waker {
  /**
   * At most one turn of an id waits and one runs. A wake without delay pulls a delayed turn forward. A wake with delay
   * leaves an earlier turn as it is. Wakes during a turn cause one more turn, at the time of the last such wake. A wake
   * without delay is sent up to 50 ms later if this waker has just woken the same id. A turn that waits after others
   * keeps its place when its id is woken again.
   */
  wake(kind: TurnKind, lane: Lane, id: string, delayMs?: number): Promise<void>;
  wakeMany(kind: TurnKind, wakes: readonly Wake[]): Promise<void>;
  /**
   * Frees ids whose turn the store has lost a part of, so that no worker will take it and yet no wake adds another. Turns that
   * wait, however long, or run stay as they are. Resolves to the wakes of the ids that it has freed; wake them again.
   */
  freeLost(kind: TurnKind, wakes: readonly Wake[]): Promise<Wake[]>;
  /** Rejects unless the store answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

export interface WakerOptions extends QueueStore, PartitionCounts {
  readonly onError: OnError;
  readonly onMoved?: OnMoved;
}

/** The data of a job: the id of the turn, and no fact. */
export interface Turn {
  readonly id: string;
}

interface TurnJob {
  readonly name: 'turn';
  readonly data: Turn;
  readonly opts: BulkJobOptions;
}

type TurnQueue = Queue<Turn, void, 'turn', Turn, void, 'turn', IQueueBackend>;

/**
 * The least time between two wakes of one id without delay, in ms. A turn that found work stays this long, so it finds
 * the work of the later wake by itself.
 */
const apartMs = 50;
/** Up to this many jobs, single calls cost less: a pipeline of ioredis costs 70 µs before it holds anything. */
const few = 4;
const limitMs = 1_000;
const chunkSize = 200;

/** Opens a waker. It connects by itself, and again whenever the store was away. */
export function openWaker(options: WakerOptions): Waker {
  const { onError } = options;
  const backend = openBackend(options, 'waker', options);
  const queues = new Map<string, TurnQueue>();
  const coalesced = {
    dispatch: coalesceWakes(apartMs, (wakes) => send('dispatch', wakes)),
    webhooks: coalesceWakes(apartMs, (wakes) => send('webhooks', wakes)),
    groups: coalesceWakes(apartMs, (wakes) => send('groups', wakes)),
  };

  async function wakeMany(kind: TurnKind, wakes: readonly Wake[]): Promise<void> {
    const { now, later } = Object.groupBy(wakes, (wake) => (isNow(wake) ? 'now' : 'later'));
    await Promise.all([now && coalesced[kind].add(now), later && send(kind, later)]);
  }

  async function send(kind: TurnKind, wakes: readonly Wake[]): Promise<void> {
    await Promise.all(Array.from(byQueue(kind, wakes), ([name, group]) => addAll(name, kind, group)));
  }

  function byQueue(kind: TurnKind, wakes: readonly Wake[]): Map<string, Wake[]> {
    return Map.groupBy(wakes, (wake) =>
      queueName(kind, wake.lane, partitionOf(wake.id, partitionsOf(wake.lane, options))),
    );
  }

  async function freeLost(name: string, wakes: readonly Wake[]): Promise<Wake[]> {
    const freed = new Set<string>();
    for (let looked = 0; looked < wakes.length; looked += chunkSize) {
      if (!backend.reachable) throw new Error('the queue is away');
      const ids = wakes.slice(looked, looked + chunkSize).map(({ id }) => id);
      for (const id of await within(limitMs, 'freeing lost turns', backend.freeLost(name, ids)))
        freed.add(id);
    }
    return wakes.filter(({ id }) => freed.has(id));
  }

  async function addAll(name: string, kind: TurnKind, wakes: readonly Wake[]): Promise<void> {
    const counted = countedKind(kind, wakes);
    let sent = 0;
    try {
      while (sent < wakes.length) {
        if (!backend.reachable) throw new Error('the queue is away');
        const chunk = wakes.slice(sent, sent + chunkSize).map(turnJob);
        await within(limitMs, 'a wake', addTo(queueOf(name), chunk));
        sent += chunk.length;
        counted.sent.inc(chunk.length);
      }
    } catch (error) {
      counted.failed.inc(wakes.length - sent);
      throw error;
    }
  }

  function queueOf(name: string): TurnQueue {
    const open = queues.get(name) ?? openQueue(name, backend, onError);
    queues.set(name, open);
    return open;
  }

  async function end(): Promise<void> {
    await Promise.all(Object.values(coalesced).map((one) => one.untilSent()));
    await Promise.all(Array.from(queues.values(), (queue) => queue.close()));
    await backend.close();
  }

  let ended: Promise<void> | undefined;
  return {
    wake: (kind, lane, id, delayMs = 0) => wakeMany(kind, [{ lane, id, delayMs }]),
    wakeMany,
    async freeLost(kind, wakes) {
      const freed = Array.from(byQueue(kind, wakes), ([name, group]) => freeLost(name, group));
      return (await Promise.all(freed)).flat();
    },
    ping: () => within(limitMs, 'a ping', backend.ping()),
    close: () => (ended ??= end()),
  };
}

const kinds: readonly string[] = ['dispatch', 'webhooks', 'groups', ...Object.keys(ownedLanes)];
const counters = new Map(kinds.map((kind) => [kind, countersOf(kind)]));

function countersOf(kind: string) {
  return { sent: metrics.wakes.labels(kind, 'sent'), failed: metrics.wakes.labels(kind, 'failed') };
}

/** The counters of wakes for one queue, and so of one lane. Owned lanes count as kinds of their own. */
function countedKind(kind: TurnKind, [first]: readonly Wake[]) {
  const counted = first !== undefined && isOwnedLane(first.lane) ? first.lane : kind;
  return counters.get(counted) ?? countersOf(counted);
}

async function addTo(queue: TurnQueue, jobs: readonly TurnJob[]): Promise<void> {
  if (jobs.length > few) await queue.addBulk([...jobs]);
  else await Promise.all(jobs.map(({ name, data, opts }) => queue.add(name, data, opts)));
}

function openQueue(name: string, backend: Backend, onError: OnError): TurnQueue {
  const queue: TurnQueue = new Queue(
    name,
    // Nothing reads BullMQ's event stream. 100 is about its least length.
    { connection: {}, skipVersionCheck: true, streams: { events: { maxLen: 100 } } },
    backend.factory,
  );
  queue.on('error', onError);
  return queue;
}

function isNow({ delayMs = 0 }: Wake): boolean {
  return delayMs <= 0;
}

function turnJob(wake: Wake): TurnJob {
  const { id, delayMs = 0, afterOthers = false } = wake;
  const now = isNow(wake);
  return {
    name: 'turn',
    data: { id },
    opts: {
      // In a wiped Redis, counted ids would restart and be mistaken for those of turns that still run.
      jobId: randomUUID(),
      ...(now ? {} : { delay: Math.ceil(delayMs) }),
      // Jobs without a priority go first.
      ...(afterOthers ? { priority: 1 } : {}),
      // `reschedule` in a delayed wake would postpone an earlier one.
      deduplication: { id, keepLastIfActive: true, ...(now ? { reschedule: true } : {}) },
      removeOnComplete: true,
      removeOnFail: true,
    },
  };
}
