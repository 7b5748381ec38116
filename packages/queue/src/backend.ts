import type { BackendFactory } from 'bullmq';
import { openPostgres, preparePostgres } from './postgres.ts';
import { openRedis } from './redis.ts';

/** Where the turns are kept: in Redis when `redisUrl` is given, else in Postgres. */
export interface QueueStore {
  readonly redisUrl: string | null;
  readonly databaseUrl: string;
}

/** Told of every trouble with the store. Each heals by itself: connections are made anew, turns come again. */
export type OnError = (error: Error) => void;

/** Who uses the connections: wakers give up at once while the store is away, workers wait for it. */
export type Role = 'waker' | 'worker';

/** An open store of either sort. */
export interface Backend {
  /** Makes the BullMQ backend of one queue or worker, over connections that this store owns. */
  readonly factory: BackendFactory;
  /** False while it is known that commands would fail. */
  readonly reachable: boolean;
  /** Rejects unless the store answers and is prepared. */
  ping(): Promise<void>;
  /** Ends the connections, also while the store is away. */
  close(): Promise<void>;
}

/** Opens the store. `partitions` bounds the connections. Never waits and never throws for want of the store. */
export function openBackend(store: QueueStore, role: Role, partitions: number, onError: OnError): Backend {
  if (store.redisUrl !== null) return openRedis(store.redisUrl, role, onError);
  return openPostgres(store.databaseUrl, role, partitions, onError);
}

/** Makes or upgrades what the store needs before the first waker or worker; several processes may do so at once. */
export async function prepareQueue(store: QueueStore): Promise<void> {
  if (store.redisUrl === null) await preparePostgres(store.databaseUrl);
}
