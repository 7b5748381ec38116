import { sql } from 'kysely';
import type { Trx } from '../connection/connect.ts';

/** The server that holds the database. */
export interface ServerFacts {
  readonly now: Date;
  readonly database: string;
  /** As Postgres writes it: `18.1`. */
  readonly version: string;
  /** As Postgres compares it: 180001. */
  readonly versionNumber: number;
  readonly bytes: number;
  /** It still applies WAL, or is a standby, and takes no writes. */
  readonly isInRecovery: boolean;
  /**
   * Text was sorted by another version of the collation library than this server has, so indexes on text may be wrong
   * (PostgreSQL, "alter collation"). Null if both are the same, or the server cannot tell.
   */
  readonly collation: { readonly made: string; readonly here: string } | null;
  /** Pages whose checksum was wrong when they were read. */
  readonly checksumFailures: number;
}

export async function readServer(trx: Trx): Promise<ServerFacts> {
  const { rows } = await sql<
    Omit<ServerFacts, 'collation'> & { readonly made: string | null; readonly here: string | null }
  >`
    select now() as now, d.datname as database, split_part(current_setting('server_version'), ' ', 1) as version,
      current_setting('server_version_num')::int as "versionNumber", pg_database_size(d.oid)::float8 as bytes,
      pg_is_in_recovery() as "isInRecovery", d.datcollversion as made,
      pg_database_collation_actual_version(d.oid) as here,
      coalesce((select checksum_failures from pg_stat_database s where s.datid = d.oid), 0)::int as "checksumFailures"
    from pg_database d where d.datname = current_database()`.execute(trx);
  const { made, here, ...server } = rows[0]!;
  return {
    ...server,
    collation: made === null || here === null || made === here ? null : { made, here },
  };
}
