import type { Db } from '@notify/db/connection';
import { sql } from 'kysely';

/** What Postgres has done for one database since it was made, and its connections now. */
export interface PostgresFigures {
  /** Bytes of write-ahead log of the whole server. */
  readonly walBytes: number;
  /** Bytes of the tables and indexes of the database. */
  readonly diskBytes: number;
  readonly transactions: number;
  /** Connections of all our processes. */
  readonly connections: number;
}

/** Reads the figures. Statistics of a transaction arrive within about a second (PostgreSQL, "The Cumulative Statistics System"). */
export async function postgresFigures(db: Db): Promise<PostgresFigures> {
  const { rows } = await sql<PostgresFigures>`
    select (pg_current_wal_lsn() - '0/0')::float8 as "walBytes",
      pg_database_size(current_database())::float8 as "diskBytes",
      (select xact_commit + xact_rollback from pg_stat_database where datname = current_database())::float8 as "transactions",
      (select count(*) from pg_stat_activity
        where datname = current_database() and pid <> pg_backend_pid())::int as "connections"`.execute(db);
  return rows[0]!;
}
