import { setTimeout as delay } from 'node:timers/promises';
import { openClient, openPool } from '@notify/db/servers';
import { type PgPool, PostgresConnection, PostgresQueueBackend, runMigrations } from 'bullmq';
import type pg from 'pg';
import type { Backend, OnError, Role } from './backend.ts';
import { createFreeLost } from './lost-rows.ts';
import { watchPool } from './watch-pool.ts';

/** BullMQ's default, and the only schema that it can use with our pool. */
const schema = 'bullmq';

/** Concurrent queries of one process's workers, besides the connection on which each partition listens. */
const workerQueries = 3;

/** Makes or upgrades BullMQ's own schema. Its migrations run under an advisory lock. */
export async function preparePostgres(url: string): Promise<void> {
  const client = await openClient(url, { application_name: 'notify-queue' });
  try {
    await runMigrations(client, schema);
  } finally {
    await client.end();
  }
}

/** Keeps turns in Postgres. NOTIFY wakes the workers, and they also poll every few seconds. */
export function openPostgres(url: string, role: Role, partitions: number, onError: OnError): Backend {
  const pool = openQueuePool(url, role, partitions);
  const watched = watchPool(pool, role, onError);
  // BullMQ documents that a pool is a `PgPool`. Only the overloads of `on` in @types/pg do not match.
  const connection = pool as unknown as PgPool;
  return {
    factory(name, options) {
      const backend = new TurnBackend(new PreparedConnection(connection), name, { ...options, connection });
      backend.onFailed = () => watched.failed();
      return backend;
    },
    reachable: true,
    async ping() {
      await pool.query('select from migration limit 1').catch((error: unknown) => {
        watched.failed();
        throw error;
      });
    },
    async answers() {
      await pool.query('select');
    },
    freeLost: createFreeLost(pool),
    close() {
      watched.close();
      return pool.end();
    },
  };
}

/** A statement on a server that was cut off ends within `query_timeout`; the turn or wake is then made again. */
function openQueuePool(url: string, role: Role, partitions: number): pg.Pool {
  const pool = openPool(url, {
    application_name: 'notify-queue',
    // The pool waits for it. A start-up parameter would be refused by a pooler.
    onConnect: (client) => client.query(`set search_path = ${schema}`) as unknown as void,
    connectionTimeoutMillis: 1_000,
    ...(role === 'waker'
      ? { max: 2, query_timeout: 1_000 }
      : { max: partitions + workerQueries, query_timeout: 10_000 }),
  });
  pool.setMaxListeners(0);
  return pool;
}

/** Skips BullMQ's check of the schema, which `prepareQueue` has made. BullMQ remembers a failed check for ever. */
class PreparedConnection extends PostgresConnection {
  override waitUntilReady(): Promise<void> {
    return Promise.resolve();
  }
}

class TurnBackend extends PostgresQueueBackend {
  /** Called when a poll has failed. */
  onFailed: () => void = () => undefined;

  /** In seconds. BullMQ's hour is too long for a worker whose first poll failed while the server was starting. */
  override get maximumBlockTimeout(): number {
    return 5;
  }

  /** Waits a little after a failure. BullMQ retries at once, thousands of times while a server starts. */
  override async moveToActive(
    ...args: Parameters<PostgresQueueBackend['moveToActive']>
  ): ReturnType<PostgresQueueBackend['moveToActive']> {
    try {
      return await super.moveToActive(...args);
    } catch (error) {
      this.onFailed();
      await delay(200);
      throw error;
    }
  }
}
