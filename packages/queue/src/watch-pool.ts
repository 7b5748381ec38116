import type pg from 'pg';
import type { OnError, Role } from './backend.ts';
import { measureConnection } from './connection-metrics.ts';

/** How often Postgres is asked whether it is back, in ms. */
const probeMs = 1_000;

/** A pool whose errors are handled and counted. */
export interface WatchedPool {
  /** A command failed. Until Postgres answers again, the metrics say that the store is away. */
  failed(): void;
  close(): void;
}

/**
 * Handles the errors of a pool's connections, and knows whether Postgres answers. A pool tells only of connections that
 * break, and uses none while nothing is to do. So after a failure this asks once a second until there is an answer.
 */
export function watchPool(pool: pg.Pool, role: Role, onError: OnError): WatchedPool {
  let isAway = false;
  let isClosed = false;
  const meter = measureConnection(role, () => !isAway);
  meter.connected();

  function failed(): void {
    meter.failed();
    if (isAway || isClosed) return;
    isAway = true;
    probeLater();
  }

  function probeLater(): void {
    setTimeout(() => {
      if (!isClosed) pool.query('select').then(back, probeLater);
    }, probeMs).unref();
  }

  function back(): void {
    isAway = false;
    meter.connected();
  }

  // Without its own listener, a connection that breaks while BullMQ holds it would end the process.
  pool.on('connect', (client) =>
    client.on('error', (error) => {
      failed();
      onError(error);
    }),
  );
  pool.on('error', onError);
  return {
    failed,
    close() {
      isClosed = true;
      meter.close();
    },
  };
}
