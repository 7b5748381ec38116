import type { DatabaseServer } from '@notify/core';
import pg from 'pg';
import type { ServerState } from './choose-server.ts';

/** How long a server has to answer, in ms. */
const limitMs = 2_000;

/** What a connection asks its server. */
export const stateQuery = `select pg_is_in_recovery() as "isStandby",
  current_setting('transaction_read_only') = 'on' as "isReadOnly"`;

/** The first 8 digits of the name of a WAL file are the timeline (PostgreSQL, "WAL Internals"). */
const timelineQuery = `select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline`;

/** Asks a server over its own connection for its state. Rejects within 2 s, as `pg` does. */
export async function askServer(connectionString: string, server: DatabaseServer): Promise<ServerState> {
  const client = new pg.Client({
    connectionString,
    application_name: 'notify-look',
    connectionTimeoutMillis: limitMs,
    query_timeout: limitMs,
  });
  client.on('error', () => undefined);
  client.host = server.host;
  client.port = server.port;
  try {
    await client.connect();
    const { rows } = await client.query<Omit<ServerState, 'timeline'>>(stateQuery);
    const state = rows[0]!;
    return { ...state, timeline: state.isStandby ? null : await timelineOf(client) };
  } finally {
    void client.end();
  }
}

/** Null on servers without WAL of their own, such as those of Aurora. */
async function timelineOf(client: pg.Client): Promise<number | null> {
  try {
    const { rows } = await client.query<{ timeline: number }>(timelineQuery);
    return rows[0]?.timeline ?? null;
  } catch (error) {
    if (error instanceof pg.DatabaseError) return null;
    throw error;
  }
}
