import type { BackendFactory } from 'bullmq';

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
