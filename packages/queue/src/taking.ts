import { type IQueueBackend, type Job, Worker } from 'bullmq';
import type { OnError } from './backend.ts';
import type { Generations } from './generations.ts';
import { within } from './time-limit.ts';
import { createUnderWay } from './under-way.ts';
import type { Turn } from './waker.ts';

/** The handlers of the turns of one partition. */
export interface TurnHandlers {
  /** Runs the turn of `id`. */
  readonly take: (id: string) => Promise<void>;
  /** The turn of `id` has ended and its job is gone. `error` is what `take` threw. */
  readonly over: (id: string, error: Error | null) => void;
}

/** One BullMQ worker. */
export interface Taking {
  /** It has all turns that it may have, so it fetches no more. */
  readonly isFull: boolean;
  /** Opens a new store connection for the worker that follows. False if the store is away. */
  renew(): Promise<boolean>;
  /** Takes no more turns. Waits for the running ones, however long they take, and up to 1 s for the store. */
  close(): Promise<void>;
}

export interface TakingOptions extends TurnHandlers {
  readonly name: string;
  readonly concurrency: number;
  readonly onError: OnError;
  /** The store has answered a fetch, with a turn or without. */
  readonly onFetched: () => void;
}

const closeMs = 1_000;

const settings = {
  // The turn of a killed process runs again when its lock has ended and a check finds it, after about 5 s.
  lockDuration: 5_000,
  stalledInterval: 2_000,
  // A turn may stall any number of times, because its job carries no data that could be the cause.
  maxStalledCount: 1_000_000_000,
  /** In seconds: how long an idle worker sleeps before it polls. */
  drainDelay: 2,
  runRetryDelay: 500,
  // Of a job whose options are lost.
  removeOnComplete: { count: 0 },
  removeOnFail: { count: 0 },
};

/**
 * Ends a job without taking the next one in the same step. The next job would be the turn of an id that was woken
 * meanwhile, so an id with constant wakes would stay with one process, however many are added.
 */
class SharingWorker extends Worker<Turn, void, 'turn', IQueueBackend> {
  /** The store has answered a fetch. */
  onFetched: () => void = () => undefined;

  override processJob(job: Job<Turn, void, 'turn'>, token: string): Promise<void | Job<Turn, void, 'turn'>> {
    return super.processJob(job, token, () => false);
  }

  protected override async moveToActive(token: string, name?: string): Promise<Job<Turn, void, 'turn'>> {
    const job = await super.moveToActive(token, name);
    this.onFetched();
    return job;
  }
}

/** False for a job of which the store has lost all but its place in a list. It ends at once, because it names nothing. */
function isWhole({ data }: { readonly data: Partial<Turn> }): boolean {
  return data.id !== undefined;
}

/** Starts a worker of one queue on the newest connections. */
export function startTaking(generations: Generations, options: TakingOptions): Taking {
  const { name, concurrency, onError, take, over } = options;
  const running = createUnderWay();
  const lease = generations.lease();
  const { backend } = lease;
  const worker = new SharingWorker(
    name,
    (job) => running.add(isWhole(job) ? take(job.data.id) : Promise.resolve()),
    { ...settings, connection: {}, concurrency },
    backend.factory,
  );
  worker.onFetched = options.onFetched;
  worker.on('completed', (job) => {
    if (isWhole(job)) over(job.data.id, null);
  });
  worker.on('failed', (job, error) => {
    if (job && isWhole(job)) over(job.data.id, error);
  });
  worker.on('error', onError);
  return {
    get isFull() {
      return running.size >= concurrency;
    },
    renew: () => generations.renew(backend, name),
    async close() {
      const ended = worker.close(!backend.reachable);
      await running.untilEmpty();
      await within(closeMs, 'closing a worker', ended).catch(onError);
      await within(closeMs, 'closing the store', lease.release()).catch(onError);
    },
  };
}
