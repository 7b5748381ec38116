import pg from 'pg';
import { clientOf } from './client.ts';
import { openServers } from './servers.ts';

/** The options of `pg` for a pool, except those that say where it connects. */
export type PoolOptions = Omit<pg.PoolConfig, 'connectionString' | 'host' | 'port' | 'Client'> & {
  /** Names the connections in Postgres and in the metrics. */
  readonly application_name: string;
};

/**
 * A server that vanishes without a word is noticed this long after its last word, plus 10 probes a second apart (libuv),
 * if nothing is being sent to it.
 */
const keepAlive = { keepAlive: true, keepAliveInitialDelayMillis: 5_000 };

/**
 * Opening a connection costs Postgres 34 ms of CPU, far more than any statement of a send. So a service with little to
 * do keeps the last connection of a pool, and others for a minute.
 */
const idle = { idleTimeoutMillis: 60_000, min: 1 };

/**
 * Opens a pool of connections to the servers of a URL, of which there may be several. A connection goes to a server that
 * takes writes, unless the URL says otherwise, and is thrown out when its server stops doing so. Throws for a malformed
 * URL. Every pool and client of the service is made here or by `openClient`.
 */
export function openPool(url: string, options: PoolOptions): pg.Pool {
  const servers = openServers(url);
  const pool = new pg.Pool({
    ...idle,
    ...options,
    ...keepAlive,
    connectionString: servers.connectionString,
    Client: clientOf(servers, options.application_name),
  });
  const end = pool.end.bind(pool);
  pool.end = () => end().finally(() => servers.close());
  return pool;
}

/** Connects one client, as `openPool` would. End it. */
export async function openClient(url: string, options: PoolOptions): Promise<pg.Client> {
  const servers = openServers(url);
  const Client = clientOf(servers, options.application_name);
  const client = new Client({ ...options, ...keepAlive, connectionString: servers.connectionString });
  client.once('end', () => servers.close());
  try {
    return await client.connect();
  } catch (error) {
    servers.close();
    throw error;
  }
}
