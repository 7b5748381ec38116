import { Kysely, type Transaction } from 'kysely';
import pg from 'pg';
import type { Database } from '../schema/tables.ts';
import type { ServerClient } from '../servers/client.ts';
import { openPool } from '../servers/pool.ts';
import { refuseLocalCommits } from './local-commits.ts';
import { PatientPostgresDialect } from './patient-dialect.ts';
import { measurePool, type PoolMeter } from './pool-metrics.ts';
import { createStatementNames, prepareOn } from './prepared.ts';
import {
  asOptions,
  asStatements,
  type PoolerMode,
  type SessionSettings,
  setInTransactions,
} from './session-settings.ts';

/** A pool of connections. Each statement takes a free one. */
export type Db = Kysely<Database>;
/** A transaction of Kysely. A function that also runs in a transaction of `transact` takes `Statements` instead. */
export type Trx = Transaction<Database>;

export interface DbOptions {
  /** The most connections; default 10. */
  readonly maxConnections?: number;
  /** How long a connection may take to open, and a statement to get one, in ms; default 5,000. */
  readonly connectTimeoutMs?: number;
  /**
   * How long a statement waits for a connection, in ms, before it fails with an error that `isDatabaseAway` knows. A
   * connection that is being opened goes on, and later statements use it. Default: `connectTimeoutMs`.
   */
  readonly waitMs?: number;
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
export const hotSettings = {
  plan_cache_mode: 'force_generic_plan',
  enable_bitmapscan: 'off',
  enable_seqscan: 'off',
  jit: 'off',
} as const;

/** Where the database is, and what is between. */
export interface DatabaseAt {
  readonly databaseUrl: string;
  readonly databasePooler: PoolerMode;
  /** Off behind a pooler that forgets them. */
  readonly preparedStatements: boolean;
}

/**
 * Opens a pool, as `openPool` of `servers` says. Close it with `db.destroy()`. A URL alone leads to Postgres without a
 * pooler.
 */
export function openDb(database: string | DatabaseAt, options: DbOptions = {}): Db {
  const at = typeof database === 'string' ? direct(database) : database;
  const { applicationName = 'notify' } = options;
  const settings = settingsOf(options);
  const pool = openPool(at.databaseUrl, {
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    ...(options.queryTimeoutMs === undefined ? {} : { query_timeout: options.queryTimeoutMs }),
    application_name: applicationName,
    ...settingsAtConnect(at.databasePooler, settings),
    pipeline: true,
  });
  const meter = measurePool(pool, applicationName);
  const names = options.hot === true && at.preparedStatements ? createStatementNames() : null;
  const isLent = at.databasePooler === 'transaction' && settings !== null;
  pool.on('error', options.onIdleError ?? (() => undefined));
  pool.on('connect', (client) => {
    refuseLocalCommits(client);
    if (isLent) setInTransactions(client, settings);
    tellWhatFailedFirst(client, meter);
    closeAfterTimeout(client);
    if (names !== null) prepareOn(client, names);
  });
  return new Kysely<Database>({ dialect: new PatientPostgresDialect({ pool }, meter, options.waitMs) });
}

function direct(databaseUrl: string): DatabaseAt {
  return { databaseUrl, databasePooler: 'none', preparedStatements: true };
}

/** Null for a pool that works with the settings of its role. */
function settingsOf({ hot, statementTimeoutMs }: DbOptions): SessionSettings | null {
  const settings = {
    ...(hot === true ? hotSettings : {}),
    ...(statementTimeoutMs === undefined ? {} : { statement_timeout: String(statementTimeoutMs) }),
  };
  return Object.keys(settings).length === 0 ? null : settings;
}

/** What a new connection gets. A connection that a pooler lends for a transaction must keep nothing. */
function settingsAtConnect(
  pooler: PoolerMode,
  settings: SessionSettings | null,
): Pick<pg.PoolConfig, 'options' | 'onConnect'> {
  if (settings === null || pooler === 'transaction') return {};
  if (pooler === 'none') return { options: asOptions(settings) };
  // The pool waits for it. PgBouncer resets the connection when this client has gone (`server_reset_query`).
  return { onConnect: (client) => client.query(asStatements(settings, 'session')) as unknown as void };
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
