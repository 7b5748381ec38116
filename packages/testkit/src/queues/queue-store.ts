import { prepareQueue, type QueueStore } from '@notify/queue';
import { findProgram } from '../programs/programs.ts';
import { startRedis } from './redis.ts';

/** The queue of a test that works with either kind of store. */
export interface OwnQueue extends AsyncDisposable {
  readonly store: Pick<QueueStore, 'redisUrl' | 'databaseUrl'>;
}

/** Starts a Redis for the queue. Without an installed Redis the queue is in the database. */
export async function startQueue(databaseUrl: string): Promise<OwnQueue> {
  if (findProgram('redis-server') === null) {
    const store = { redisUrl: null, databaseUrl };
    await prepareQueue(store);
    return { store, [Symbol.asyncDispose]: async () => undefined };
  }
  const redis = await startRedis();
  return { store: { redisUrl: redis.url, databaseUrl }, [Symbol.asyncDispose]: () => redis.stop() };
}
