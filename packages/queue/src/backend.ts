import type { BackendFactory } from 'bullmq';

/** Receives every store error. Each heals by itself: connections are made again, and turns come again. */
export type OnError = (error: Error) => void;

/** Receives the addresses of the masters of Redis, separated by commas, whenever they have changed. */
export type OnMoved = (masters: string) => void;

/** The use of a connection: wakers fail at once while the store is away, workers wait for it. */
export type Role = 'waker' | 'worker';

/** An open store, on Redis or Postgres. */
export interface Backend {
  /** Makes the BullMQ backend of one queue or worker, on connections that this store owns. */
  readonly factory: BackendFactory;
  /** False while commands are known to fail. */
  readonly reachable: boolean;
  /** Rejects unless the store answers and is prepared. */
  ping(): Promise<void>;
  /** Resolves when the store has answered for one queue, which may be long after it was away. */
  answers(queue: string): Promise<void>;
  /**
   * Frees ids of one queue from jobs that no worker will take, so that a wake adds a turn again. Resolves to those that it has
   * freed. Ids whose turn waits or runs stay as they are.
   */
  freeLost(queue: string, ids: readonly string[]): Promise<string[]>;
  /** Ends the connections, even while the store is away. */
  close(): Promise<void>;
}
