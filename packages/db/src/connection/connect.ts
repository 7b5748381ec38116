import { Kysely, type Transaction } from 'kysely';
import pg from 'pg';
import type { Database } from '../schema/tables.ts';
import { PatientPostgresDialect } from './patient-dialect.ts';
import { createStatementNames, prepareOn } from './prepared.ts';

/** A pool of connections. Each statement takes one that is free. */
export type Db = Kysely<Database>;
/** A transaction of Kysely's. A function that also runs in a transaction of `transact` takes `Statements` instead. */
export type Trx = Transaction<Database>;

export interface DbOptions {
  /** Connections at most; default 10. */
  readonly maxConnections?: number;
  /** How long to wait for a connection, in ms; default 5,000. */
  readonly connectTimeoutMs?: number;
  /**
   * How long one statement may take before its caller gives up on it and its connection is closed, in ms; default: as
   * long as it wants.
   */
  readonly queryTimeoutMs?: number;
  /**
   * How long one statement may take before Postgres ends it, in ms, which is told as an error that `isDatabaseAway`
   * knows; default: as long as it wants.
   */
  readonly statementTimeoutMs?: number;
  /** Told of errors of idle connections (a restarted server); the pool replaces them by itself. */
  readonly onIdleError?: (error: Error) => void;
  readonly applicationName?: string;
  /**
   * For a pool that runs the same few statements all the time, each on few rows that it finds by index. A statement that
   * comes again is prepared, and its plan serves any parameters. Plans read by index only: a plan made on an empty table
   * would otherwise go on reading or sorting all of a table that has filled up. Default false.
   */
  readonly hot?: boolean;
}

/** PostgreSQL, "Planner Method Configuration" and "Other Planner Options". */
const hotSettings =
  '-c plan_cache_mode=force_generic_plan -c enable_bitmapscan=off -c enable_seqscan=off -c jit=off';

/** Opens a pool. Close it with `db.destroy()`. */
export function openDb(connectionString: string, options: DbOptions = {}): Db {
  const pool = new pg.Pool({
    connectionString,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    ...(options.queryTimeoutMs === undefined ? {} : { query_timeout: options.queryTimeoutMs }),
    ...(options.statementTimeoutMs === undefined ? {} : { statement_timeout: options.statementTimeoutMs }),
    application_name: options.applicationName ?? 'notify',
    ...(options.hot === true ? { options: hotSettings } : {}),
    keepAlive: true,
    pipeline: true,
  });
  const names = options.hot === true ? createStatementNames() : null;
  pool.on('error', options.onIdleError ?? (() => undefined));
  pool.on('connect', (client) => {
    // A connection that breaks while it is in use says so to its query, and here; unheard, that would end the process.
    client.on('error', () => undefined);
    tellWhatFailedFirst(client);
    closeAfterTimeout(client);
    if (names !== null) prepareOn(client, names);
  });
  return new Kysely<Database>({ dialect: new PatientPostgresDialect({ pool }) });
}

/**
 * Once a statement has failed, Postgres answers 25P02 to the others of its transaction. Where statements are sent
 * together, one of those may be heard first. So each of them fails with the error of the statement that failed first.
 */
function tellWhatFailedFirst(client: pg.PoolClient): void {
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
        if (!isOfFailedTransaction(error) || first === null) first = error;
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

/** All later statements of a connection queue up behind one that timed out, so the pool must not keep it. */
function closeAfterTimeout(client: pg.PoolClient): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown;
  function watched(...args: unknown[]): unknown {
    const answer = query(...args);
    if (answer instanceof Promise) answer.catch((error: unknown) => closeIfTimeout(client, error));
    return answer;
  }
  client.query = watched as typeof client.query;
}

/** `pg` gives its timeout no code. The pool drops a client that is ending when it is given back. */
function closeIfTimeout(client: pg.PoolClient, error: unknown): void {
  if (error instanceof Error && error.message === 'Query read timeout') void (client as pg.Client).end();
}
