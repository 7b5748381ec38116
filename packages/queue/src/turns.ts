import { type IQueueBackend, Worker } from 'bullmq';
import { type OnError, openBackend, type QueueStore } from './backend.ts';
import { type Lane, queueName, type TurnKind } from './partitions.ts';
import { within } from './time-limit.ts';
import { openWaker, type Turn } from './waker.ts';

/** The part of a logger that turns need. */
export interface TurnLog {
  warn(fields: object, message: string): void;
}

export interface TurnOptions extends QueueStore {
  readonly partitions: number;
  readonly kind: TurnKind;
  readonly lane: Lane;
  /** Turns that may run at once in this process, over all partitions. */
  readonly slots: number;
  /**
   * Looks at `id` and does what is due. Never twice at once for an id while the store is well; it may be after the
   * store was wiped, or when this process was blocked for longer than 5 s. `signal` asks it to end soon.
   */
  turn(id: string, context: { readonly signal: AbortSignal }): Promise<void>;
  /** Asked after every turn, and many at once: when `id` is due again and in which lane; null when nothing waits. */
  nextDueMs(id: string): Promise<{ readonly delayMs: number; readonly lane: Lane } | null>;
  readonly onError: OnError;
  readonly log: TurnLog;
}

export interface RunningTurns {
  /** Takes no more turns, aborts the signal of those that run, waits for them and for their next wakes. */
  close(): Promise<void>;
  /** Turns running now. */
  readonly active: number;
  /** Whether all slots are taken: others may be waiting for this turn to end. */
  readonly saturated: boolean;
}

type TurnWorker = Worker<Turn, void, 'turn', IQueueBackend>;

const workerSettings = {
  // A turn whose process was killed runs again when its lock has ended and a check finds it: after some 5 s.
  lockDuration: 5_000,
  stalledInterval: 2_000,
  // A turn may be found abandoned any number of times; it carries no fact that could be at fault.
  maxStalledCount: 1_000_000_000,
  /** In seconds: how long an idle worker sleeps before it looks without being woken. */
  drainDelay: 2,
  runRetryDelay: 500,
  skipVersionCheck: true,
};
const disconnectMs = 2_000;

/** Takes turns of one kind and lane, of all partitions, until closed. Survives its store being away, and never throws. */
export function runTurns(options: TurnOptions): RunningTurns {
  const { kind, lane, slots, partitions, onError, log } = options;
  const backend = openBackend(options, 'worker', partitions, onError);
  const waker = openWaker(options);
  const stopping = new AbortController();
  const underWay = new Set<Promise<unknown>>();
  let active = 0;

  async function take(id: string): Promise<void> {
    active += 1;
    try {
      await options.turn(id, { signal: stopping.signal });
    } finally {
      active -= 1;
    }
  }

  async function wakeAgain(id: string): Promise<void> {
    try {
      const next = await options.nextDueMs(id);
      if (next !== null) await waker.wake(kind, next.lane, id, next.delayMs);
    } catch (error) {
      log.warn({ err: error, kind, lane, id }, 'next turn left to the sweeper');
    }
  }

  function openWorker(partition: number): TurnWorker {
    const worker: TurnWorker = new Worker(
      queueName(kind, lane, partition),
      (job) => remember(underWay, take(job.data.id)),
      { ...workerSettings, connection: {}, concurrency: Math.ceil(slots / partitions) },
      backend.factory,
    );
    // Only now is the turn over: a wake while it runs would be overwritten by the next one.
    worker.on('completed', (job) => void remember(underWay, wakeAgain(job.data.id)));
    worker.on('failed', (job, error) => {
      log.warn({ err: error, kind, lane, id: job?.data.id }, 'turn failed');
      if (job) void remember(underWay, wakeAgain(job.data.id));
    });
    worker.on('error', onError);
    return worker;
  }

  const workers = Array.from({ length: partitions }, (_, partition) => openWorker(partition));

  async function end(): Promise<void> {
    stopping.abort();
    const closed = Promise.all(workers.map((worker) => worker.close(!backend.reachable)));
    await untilEmpty(underWay);
    await within(disconnectMs, 'closing the workers', closed).catch(onError);
    await untilEmpty(underWay);
    await waker.close();
    await within(disconnectMs, 'closing the store', backend.close()).catch(onError);
  }

  let ended: Promise<void> | undefined;
  return {
    close: () => (ended ??= end()),
    get active() {
      return active;
    },
    get saturated() {
      return active >= slots;
    },
  };
}

function remember<T>(underWay: Set<Promise<unknown>>, work: Promise<T>): Promise<T> {
  const settled = work.finally(() => underWay.delete(settled));
  underWay.add(settled);
  return settled;
}

async function untilEmpty(underWay: Set<Promise<unknown>>): Promise<void> {
  while (underWay.size > 0) await Promise.allSettled(underWay);
}
