import type { Lane } from '@notify/core';
import { type IQueueBackend, type Job, Worker } from 'bullmq';
import type { Backend, OnError } from './backend.ts';
import { type PartitionCounts, partitionsOf, queueName, type TurnKind } from './partitions.ts';
import { openBackend, type QueueStore } from './store.ts';
import { within } from './time-limit.ts';
import { createUnderWay } from './under-way.ts';
import type { Turn } from './waker.ts';

export interface TurnWorkersOptions extends QueueStore, PartitionCounts {
  readonly kind: TurnKind;
  readonly lane: Lane;
  /** The most concurrent turns in this process. Every partition gets an equal share of them, rounded up. */
  readonly slots: number;
  readonly onError: OnError;
}

/** The handlers of the turns of one partition. */
export interface TurnHandlers {
  /** Runs the turn of `id`. */
  readonly take: (id: string) => Promise<void>;
  /** The turn of `id` has ended and its job is gone. `error` is what `take` threw. */
  readonly over: (id: string, error: Error | null) => void;
}

/** Hands out the turns of one kind and lane. */
export interface TurnWorkers {
  /** The number of partitions of the lane. */
  readonly partitions: number;
  /** The most concurrent turns of one partition. */
  readonly concurrency: number;
  /** Hands out the turns of one partition until it is closed. */
  open(partition: number, handlers: TurnHandlers): TurnWorker;
  /** Closes the connections. Close every partition before. */
  close(): Promise<void>;
}

/** Hands out the turns of one partition. */
export interface TurnWorker {
  /** Hands out no more turns. Waits for the running ones, however long they take, and up to 1 s for the store. */
  close(): Promise<void>;
}

const disconnectMs = 1_000;

const settings = {
  // The turn of a killed process runs again when its lock has ended and a check finds it, after about 5 s.
  lockDuration: 5_000,
  stalledInterval: 2_000,
  // A turn may stall any number of times, because its job carries no data that could be the cause.
  maxStalledCount: 1_000_000_000,
  /** In seconds: how long an idle worker sleeps before it polls. */
  drainDelay: 2,
  runRetryDelay: 500,
};

/** Connects to the store by itself, and again whenever the store was away. Hands out no turns before `open`. */
export function openTurnWorkers(options: TurnWorkersOptions): TurnWorkers {
  const { kind, lane, slots, onError } = options;
  const partitions = partitionsOf(lane, options);
  const concurrency = Math.ceil(slots / partitions);
  const backend = openBackend(options, 'worker', partitions, onError);
  return {
    partitions,
    concurrency,
    open: (partition, handlers) =>
      openTurnWorker(queueName(kind, lane, partition), backend, { ...handlers, concurrency, onError }),
    close: () => within(disconnectMs, 'closing the store', backend.close()).catch(onError),
  };
}

/**
 * Ends a job without taking the next one in the same step. The next job would be the turn of an id that was woken
 * meanwhile, so an id with constant wakes would stay with one process, however many are added.
 */
class SharingWorker extends Worker<Turn, void, 'turn', IQueueBackend> {
  override processJob(job: Job<Turn, void, 'turn'>, token: string): Promise<void | Job<Turn, void, 'turn'>> {
    return super.processJob(job, token, () => false);
  }
}

function openTurnWorker(
  name: string,
  backend: Backend,
  {
    concurrency,
    onError,
    take,
    over,
  }: TurnHandlers & Pick<TurnWorkersOptions, 'onError'> & { readonly concurrency: number },
): TurnWorker {
  const running = createUnderWay();
  const worker = new SharingWorker(
    name,
    (job) => running.add(take(job.data.id)),
    { ...settings, connection: {}, concurrency },
    backend.factory,
  );
  worker.on('completed', (job) => over(job.data.id, null));
  worker.on('failed', (job, error) => {
    if (job) over(job.data.id, error);
  });
  worker.on('error', onError);
  return {
    async close() {
      const ended = worker.close(!backend.reachable);
      await running.untilEmpty();
      await within(disconnectMs, 'closing a worker', ended).catch(onError);
    },
  };
}
