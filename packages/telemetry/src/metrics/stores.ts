import { counter, gauge, histogram, shortSeconds } from './registry.ts';

/** Pools of connections to Postgres. `pool` is the application name, such as `notify-api`. */
export const pools = {
  limit: gauge('db_pool_limit', 'The most connections', ['pool']),
  /** `state` is `used` or `idle`. */
  connections: gauge('db_pool_connections', 'Open connections', ['pool', 'state']),
  waiting: gauge('db_pool_waiting', 'Callers that wait for a connection', ['pool']),
  wait: histogram('db_pool_wait_seconds', 'Time until a caller had a connection', ['pool'], shortSeconds),
  /** `class` is a DatabaseFault: `away`, `busy`, `conflict`, `data` or `unknown`. */
  errors: counter('db_statement_errors_total', 'Statements that failed', ['pool', 'class']),
};

/** The servers of Postgres. `server` is `host:port` of `DATABASE_URL`. */
export const servers = {
  current: gauge('db_server_current', '1 for the server that new connections go to', ['server']),
  /** `reason` is a LostReason: `read_only`, `terminated`, `moved`, `timeout` or `broken`. */
  lost: counter('db_connections_lost_total', 'Connections that broke or were thrown out', ['pool', 'reason']),
};

/** Connections to the queue’s store. `role` is `waker` or `worker`. */
export const queue = {
  connected: gauge('queue_connected', '1 while the store can be reached', ['role']),
  reconnects: counter('queue_reconnects_total', 'Connections made again', ['role']),
  errors: counter('queue_errors_total', 'Errors of the store', ['role']),
  moves: counter('queue_moves_total', 'Times that Redis had another master', ['role']),
};
