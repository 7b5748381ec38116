import type { Backend, OnError, OnMoved, Role } from './backend.ts';
import { openPostgres, preparePostgres } from './postgres.ts';
import { openRedis } from './redis.ts';

/** The store of the turns: Redis when `redisUrl` is given, else Postgres. */
export interface QueueStore {
  readonly redisUrl: string | null;
  readonly databaseUrl: string;
  /** Replaces `databaseUrl` where that leads to a pooler: workers listen, and a session has the settings of the queue. */
  readonly databaseSessionUrl?: string | null;
}

export interface BackendOptions {
  /** Bounds the connections. */
  readonly partitions: number;
  readonly onError: OnError;
  readonly onMoved?: OnMoved;
}

/** Opens the store. Never waits, and never throws when the store is away. */
export function openBackend(store: QueueStore, role: Role, options: BackendOptions): Backend {
  const { partitions, onError, onMoved } = options;
  if (store.redisUrl !== null) return openRedis(store.redisUrl, role, onError, onMoved);
  return openPostgres(sessionUrlOf(store), role, partitions, onError);
}

/** Prepares the store for the first waker or worker. Several processes may do so at once. */
export async function prepareQueue(store: QueueStore): Promise<void> {
  if (store.redisUrl === null) await preparePostgres(sessionUrlOf(store));
}

function sessionUrlOf({ databaseUrl, databaseSessionUrl }: QueueStore): string {
  return databaseSessionUrl ?? databaseUrl;
}
