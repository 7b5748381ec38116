import type { BackendFactory } from 'bullmq';

/** Receives every store error. Each heals by itself: connections are made again, and turns come again. */
export type OnError = (error: Error) => void;

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
  /** Ends the connections, even while the store is away. */
  close(): Promise<void>;
}
