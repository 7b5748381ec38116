import { type IQueueBackend, type Job, Worker } from 'bullmq';
import type { Backend, OnError } from './backend.ts';
import type { Turn } from './waker.ts';

export interface TurnWorkerOptions {
  readonly concurrency: number;
  readonly onError: OnError;
  /** Runs the turn of `id`. */
  readonly take: (id: string) => Promise<void>;
  /** The turn of `id` is over and its job gone; `error` is what `take` threw. */
  readonly over: (id: string, error: Error | null) => void;
}

const settings = {
  // A turn whose process was killed runs again when its lock has ended and a check finds it: after some 5 s.
  lockDuration: 5_000,
  stalledInterval: 2_000,
  // A turn may be found abandoned any number of times; it carries no fact that could be at fault.
  maxStalledCount: 1_000_000_000,
  /** In seconds: how long an idle worker sleeps before it looks without being woken. */
  drainDelay: 2,
  runRetryDelay: 500,
};

/**
 * Does not take the next job in the step that ends one. A turn that has been woken meanwhile is the next, so an id that is
 * woken all the time would stay with one process however many are added.
 */
class SharingWorker extends Worker<Turn, void, 'turn', IQueueBackend> {
  override processJob(job: Job<Turn, void, 'turn'>, token: string): Promise<void | Job<Turn, void, 'turn'>> {
    return super.processJob(job, token, () => false);
  }
}

/** Takes turns from one queue. */
export function openTurnWorker(
  name: string,
  backend: Backend,
  { concurrency, onError, take, over }: TurnWorkerOptions,
): Pick<Worker, 'close'> {
  const worker = new SharingWorker(
    name,
    (job) => take(job.data.id),
    { ...settings, connection: {}, concurrency },
    backend.factory,
  );
  worker.on('completed', (job) => over(job.data.id, null));
  worker.on('failed', (job, error) => {
    if (job) over(job.data.id, error);
  });
  worker.on('error', onError);
  return worker;
}
