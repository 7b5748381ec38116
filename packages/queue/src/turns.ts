import type { Worker } from 'bullmq';
import { type Backend, type OnError, openBackend, type QueueStore } from './backend.ts';
import { type Lane, queueName, type TurnKind } from './partitions.ts';
import { within } from './time-limit.ts';
import { openTurnWorker } from './turn-worker.ts';
import { createUnderWay, type UnderWay } from './under-way.ts';
import { openWaker, type Waker } from './waker.ts';

/** The part of a logger that turns need. */
export interface TurnLog {
  warn(fields: object, message: string): void;
}

export interface TurnOptions extends QueueStore {
  readonly partitions: number;
  readonly kind: TurnKind;
  readonly lane: Lane;
  /** Turns that may run at once in this process; every partition has an equal part of them, rounded up. */
  readonly slots: number;
  /**
   * Looks at `id` and does what is due. Never twice at once for an id while the store is well; it may be after the
   * store was wiped, or when this process was blocked for longer than 5 s.
   */
  turn(id: string, context: TurnContext): Promise<void>;
  /** Asked after every turn, and many at once: when `id` is due again and in which lane; null when nothing waits. */
  nextDueMs(id: string): Promise<{ readonly delayMs: number; readonly lane: Lane } | null>;
  readonly onError: OnError;
  readonly log: TurnLog;
}

export interface TurnContext {
  /** Asks the turn to end soon. */
  readonly signal: AbortSignal;
  /** Whether all slots of the turn's partition are taken: others may be waiting for it to end. */
  readonly saturated: () => boolean;
}

export interface RunningTurns {
  /** Takes no more turns, aborts the signal of those that run, waits for them and for their next wakes. */
  close(): Promise<void>;
  /** Turns running now. */
  readonly active: number;
}

const disconnectMs = 1_000;

/** Takes turns of one kind and lane, of all partitions, until closed. Survives its store being away, and never throws. */
export function runTurns(options: TurnOptions): RunningTurns {
  const { kind, lane, slots, partitions, onError } = options;
  const backend = openBackend(options, 'worker', partitions, onError);
  const waker = openWaker(options);
  const stopping = new AbortController();
  const underWay = createUnderWay();
  const concurrency = Math.ceil(slots / partitions);
  const active = Array.from({ length: partitions }, () => 0);

  async function take(partition: number, id: string): Promise<void> {
    active[partition]! += 1;
    try {
      const saturated = (): boolean => active[partition]! >= concurrency;
      await options.turn(id, { signal: stopping.signal, saturated });
    } finally {
      active[partition]! -= 1;
    }
  }

  const workers = Array.from({ length: partitions }, (_, partition) =>
    openTurnWorker(queueName(kind, lane, partition), backend, {
      concurrency,
      onError,
      take: (id) => underWay.add(take(partition, id)),
      // Only now: a wake sent while the turn runs would replace that of somebody else.
      over: (id, error) => void underWay.add(wakeAgain(options, waker, id, error)),
    }),
  );

  let closed: Promise<void> | undefined;
  function close(): Promise<void> {
    stopping.abort();
    return (closed ??= closeAll({ workers, underWay, waker, backend, onError }));
  }

  return {
    close,
    get active() {
      return active.reduce((sum, turns) => sum + turns, 0);
    },
  };
}

/** Wakes `id` for when it is due next. */
async function wakeAgain(options: TurnOptions, waker: Waker, id: string, error: Error | null): Promise<void> {
  const { kind, lane, log } = options;
  if (error) log.warn({ err: error, kind, lane, id }, 'turn failed');
  try {
    const next = await options.nextDueMs(id);
    if (next !== null) await waker.wake(kind, next.lane, id, next.delayMs);
  } catch (reason) {
    log.warn({ err: reason, kind, lane, id }, 'next turn left to the sweeper');
  }
}

interface Open {
  readonly workers: readonly Pick<Worker, 'close'>[];
  readonly underWay: UnderWay;
  readonly waker: Waker;
  readonly backend: Backend;
  readonly onError: OnError;
}

/** Waits for the turns however long they take; for the store, which may be away, only so long. */
async function closeAll({ workers, underWay, waker, backend, onError }: Open): Promise<void> {
  const closed = Promise.all(workers.map((worker) => worker.close(!backend.reachable)));
  await underWay.untilEmpty();
  await within(disconnectMs, 'closing the workers', closed).catch(onError);
  await underWay.untilEmpty();
  await waker.close();
  await within(disconnectMs, 'closing the store', backend.close()).catch(onError);
}
