import { Kysely, type Transaction } from 'kysely';
import pg from 'pg';
import type { Database } from '../schema/tables.ts';
import type { ServerClient } from '../servers/client.ts';
import { openPool } from '../servers/pool.ts';
import { refuseLocalCommits } from './local-commits.ts';
import { PatientPostgresDialect } from './patient-dialect.ts';
import { measurePool, type PoolMeter } from './pool-metrics.ts';
import { createStatementNames, prepareOn } from './prepared.ts';

/** A pool of connections. Each statement takes a free one. */
export type Db = Kysely<Database>;
/** A transaction of Kysely. A function that also runs in a transaction of `transact` takes `Statements` instead. */
export type Trx = Transaction<Database>;

export interface DbOptions {
  /** The most connections; default 10. */
  readonly maxConnections?: number;
  /** How long to wait for a connection, in ms; default 5,000. */
  readonly connectTimeoutMs?: number;
  /**
   * How long one statement may take, in ms, before its caller gives up and closes the connection. Default: no limit.
   */
  readonly queryTimeoutMs?: number;
  /**
   * How long one statement may take, in ms, before Postgres cancels it with an error that `isDatabaseAway` knows.
   * Default: no limit.
   */
  readonly statementTimeoutMs?: number;
  /** Receives errors of idle connections (a restarted server). The pool replaces these connections by itself. */
  readonly onIdleError?: (error: Error) => void;
  /** Names the connections in Postgres, and the pool in the metrics. Default `notify`. */
  readonly applicationName?: string;
  /**
   * Set it for a pool that repeats the same few statements, each on few rows that it finds by index. A repeated
   * statement is prepared, and one plan serves all its parameters. Plans read by index only: a plan made on an empty
   * table would otherwise keep reading or sorting the whole table after it has filled up. Default false.
   */
  readonly hot?: boolean;
}

/** PostgreSQL, "Planner Method Configuration" and "Other Planner Options". */
const hotSettings =
  '-c plan_cache_mode=force_generic_plan -c enable_bitmapscan=off -c enable_seqscan=off -c jit=off';

/** Opens a pool, as `openPool` of `servers` says. Close it with `db.destroy()`. */
export function openDb(connectionString: string, options: DbOptions = {}): Db {
  const { applicationName = 'notify' } = options;
  const pool = openPool(connectionString, {
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    ...(options.queryTimeoutMs === undefined ? {} : { query_timeout: options.queryTimeoutMs }),
    ...(options.statementTimeoutMs === undefined ? {} : { statement_timeout: options.statementTimeoutMs }),
    application_name: applicationName,
    ...(options.hot === true ? { options: hotSettings } : {}),
    pipeline: true,
  });
  const meter = measurePool(pool, applicationName);
  const names = options.hot === true ? createStatementNames() : null;
  pool.on('error', options.onIdleError ?? (() => undefined));
  pool.on('connect', (client) => {
    refuseLocalCommits(client);
    tellWhatFailedFirst(client, meter);
    closeAfterTimeout(client);
    if (names !== null) prepareOn(client, names);
  });
  return new Kysely<Database>({ dialect: new PatientPostgresDialect({ pool }, meter) });
}

/**
 * After a failed statement, Postgres answers 25P02 to the others of its transaction. When statements are pipelined, the
 * caller may see a 25P02 first. So each of them fails with the error of the statement that failed first, which alone is
 * counted. So do statements on a connection that was left because of that error.
 */
function tellWhatFailedFirst(client: pg.PoolClient, meter: PoolMeter): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  let first: unknown = null;
  function told(...args: unknown[]): unknown {
    const answer = query(...args);
    if (!(answer instanceof Promise)) return answer;
    return answer.then(
      (result: unknown) => {
        first = null;
        return result;
      },
      (error: unknown) => {
        const isFollowing = isOfFailedTransaction(error) || (first !== null && isOfClosedConnection(error));
        if (!isFollowing) meter.failed(error);
        if (!isFollowing || first === null) first = error;
        throw first;
      },
    );
  }
  client.query = told as typeof client.query;
}

/** 25P02, `in_failed_sql_transaction` (PostgreSQL, appendix A). */
function isOfFailedTransaction(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25P02';
}

/** What `pg` says of a statement after the connection was left, such as the rollback of what failed. */
function isOfClosedConnection(error: unknown): boolean {
  return error instanceof Error && error.message === 'Client was closed and is not queryable';
}

/** Drops a connection after a timeout, because all its later statements would queue behind the one that timed out. */
function closeAfterTimeout(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  function watched(...args: unknown[]): unknown {
    const answer = query(...args);
    if (answer instanceof Promise) answer.catch((error: unknown) => closeIfTimeout(client, error));
    return answer;
  }
  client.query = watched as typeof client.query;
}

/** `pg` gives its timeout no error code. */
function closeIfTimeout(client: pg.PoolClient, error: unknown): void {
  if (error instanceof Error && error.message === 'Query read timeout')
    (client as pg.Client as ServerClient).leave('timeout');
}
