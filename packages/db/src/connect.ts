import { Kysely, type Transaction } from 'kysely';
import pg from 'pg';
import { PatientPostgresDialect } from './patient-dialect.ts';
import type { Database } from './tables.ts';

export type Db = Kysely<Database>;
/** A transaction, or a connection pool where one statement is enough. */
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
  /** Told of errors of idle connections (a restarted server); the pool replaces them by itself. */
  readonly onIdleError?: (error: Error) => void;
  readonly applicationName?: string;
  /**
   * Rows are read in the order of an index rather than gathered and sorted. For connections that take the first few of
   * many: on a table that has just filled up, without statistics, Postgres believes that there is next to nothing to
   * sort, and would do so with all that waits, for every few that are claimed. Default false.
   */
  readonly inIndexOrder?: boolean;
}

/** Opens a pool. Close it with `db.destroy()`. */
export function openDb(connectionString: string, options: DbOptions = {}): Db {
  const pool = new pg.Pool({
    connectionString,
    max: options.maxConnections ?? 10,
    connectionTimeoutMillis: options.connectTimeoutMs ?? 5_000,
    ...(options.queryTimeoutMs === undefined ? {} : { query_timeout: options.queryTimeoutMs }),
    application_name: options.applicationName ?? 'notify',
    ...(options.inIndexOrder === true ? { options: '-c enable_bitmapscan=off' } : {}),
    keepAlive: true,
  });
  pool.on('error', options.onIdleError ?? (() => undefined));
  pool.on('connect', (client) => {
    // A connection that breaks while it is in use says so to its query, and here; unheard, that would end the process.
    client.on('error', () => undefined);
    closeAfterTimeout(client);
  });
  return new Kysely<Database>({ dialect: new PatientPostgresDialect({ pool }) });
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
