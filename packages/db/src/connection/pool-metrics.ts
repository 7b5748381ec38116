import { type DatabaseFault, databaseFault } from '@notify/core';
import { metrics } from '@notify/telemetry';
import type pg from 'pg';

/** Measures one pool. */
export interface PoolMeter {
  /** A caller has its connection, after this many ms. */
  waited(ms: number): void;
  /** A statement failed, or the connection for it could not be had. */
  failed(error: unknown): void;
  /** The pool has ended. */
  close(): void;
}

/** The open pools of this process, by name. Several may share one. */
const open = new Map<string, Set<pg.Pool>>();

// The limit is the first of them that a scrape reads, so all are set by then.
metrics.readAtScrape(metrics.pools.limit, () => {
  const { limit, connections, waiting } = metrics.pools;
  for (const [name, pools] of open) {
    const sum = (of: (pool: pg.Pool) => number): number =>
      [...pools].reduce((all, pool) => all + of(pool), 0);
    limit.set(
      { pool: name },
      sum((pool) => pool.options.max ?? 0),
    );
    connections.set(
      { pool: name, state: 'used' },
      sum((pool) => pool.totalCount - pool.idleCount),
    );
    connections.set(
      { pool: name, state: 'idle' },
      sum((pool) => pool.idleCount),
    );
    waiting.set(
      { pool: name },
      sum((pool) => pool.waitingCount),
    );
  }
});

/** Shown as 0 before they happen, so that the first one is seen as a change. */
const faults: readonly DatabaseFault[] = ['away', 'busy', 'conflict', 'data', 'unknown'];

/** Exports a pool's figures under this name until it is closed. */
export function measurePool(pool: pg.Pool, name: string): PoolMeter {
  const pools = open.get(name) ?? new Set();
  open.set(name, pools.add(pool));
  const wait = metrics.pools.wait.labels(name);
  for (const fault of faults) metrics.pools.errors.inc({ pool: name, class: fault }, 0);
  return {
    waited: (ms) => wait.observe(ms / 1000),
    failed: (error) => metrics.pools.errors.labels(name, databaseFault(error) ?? 'unknown').inc(),
    close: () => void pools.delete(pool),
  };
}
