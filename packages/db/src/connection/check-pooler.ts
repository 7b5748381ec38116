import type pg from 'pg';
import { openClient } from '../servers/pool.ts';
import { hotSettings } from './connect.ts';
import { asOptions, type PoolerMode } from './session-settings.ts';

/** What an operator has said about the way to Postgres, by the names of the settings. */
export interface DatabaseSettings {
  readonly databaseUrl: string;
  readonly databasePooler: PoolerMode;
  readonly preparedStatements: boolean;
  /** Where a session keeps its connection: for LISTEN of a queue in Postgres, and for operator commands. */
  readonly databaseSessionUrl: string | null;
}

/** How often the same is asked: with other clients about, one answer may be chance. */
const rounds = 3;
const look = {
  application_name: 'notify-look',
  connectionTimeoutMillis: 2_000,
  query_timeout: 1_000,
};
const poolMode = 'whichever is its pool_mode';

/**
 * What is wrong with the settings about poolers, in a sentence that says what to do; null if nothing is. Rejects if the
 * database cannot be asked now.
 */
export async function poolerFault(settings: DatabaseSettings): Promise<string | null> {
  const { databaseUrl, databasePooler, preparedStatements, databaseSessionUrl } = settings;
  if (databasePooler === 'none' && !(await keepsOptions(databaseUrl)))
    return `DATABASE_URL leads to a pooler that does not pass settings on, yet DATABASE_POOLER is none: set it to session or transaction, ${poolMode}`;
  const asked = await askPooler(databaseUrl, preparedStatements);
  if (asked.lends && databasePooler !== 'transaction')
    return `DATABASE_URL leads to a pooler in transaction mode, yet DATABASE_POOLER is ${databasePooler}: set it to transaction`;
  if (asked.forgets)
    return 'the pooler of DATABASE_URL forgets prepared statements: set PREPARED_STATEMENTS=off, or max_prepared_statements of PgBouncer 1.21 or later';
  if (databaseSessionUrl !== null && (await askPooler(databaseSessionUrl, false)).lends)
    return 'DATABASE_SESSION_URL leads to a pooler in transaction mode: set it to Postgres itself, or to a pooler in session mode';
  return null;
}

/** Whether settings that are given at the start hold. PgBouncer refuses them, or ignores them if it is told to. */
async function keepsOptions(url: string): Promise<boolean> {
  try {
    const client = await openClient(url, { ...look, options: asOptions(hotSettings) });
    return await ended(client, async () => {
      const { rows } = await client.query<{ mode: string }>(
        `select current_setting('plan_cache_mode') as mode`,
      );
      return rows[0]?.mode === hotSettings.plan_cache_mode;
    });
  } catch (error) {
    if ((error as Error).message.startsWith('unsupported startup parameter')) return false;
    throw error;
  }
}

interface Asked {
  /** Two clients share a connection, which happens in transaction mode only. */
  readonly lends: boolean;
  readonly forgets: boolean;
}

/**
 * Two clients take turns. In transaction mode the second one gets the connection that the first has just left, or the
 * first gets another one while the second is in a transaction.
 */
async function askPooler(url: string, prepares: boolean): Promise<Asked> {
  const one = await openClient(url, look);
  return ended(one, async () => {
    const other = await openClient(url, look);
    return ended(other, async () => {
      let asked: Asked = { lends: false, forgets: false };
      for (let round = 0; round < rounds; round += 1)
        asked = merged(asked, await askOnce(one, other, prepares));
      return asked;
    });
  });
}

async function askOnce(one: pg.Client, other: pg.Client, prepares: boolean): Promise<Asked> {
  const before = await connectionOf(one, prepares);
  if (before === null) return { lends: true, forgets: true };
  await other.query('begin');
  try {
    const between = await connectionOf(other, false);
    if (!prepares && between === before) return { lends: true, forgets: false };
    const after = await connectionOf(one, prepares);
    return { lends: between === before || after !== before, forgets: after === null };
  } finally {
    await other.query('rollback');
  }
}

/** Null if the statement that the client has prepared is not on the connection that it got. */
async function connectionOf(client: pg.Client, prepares: boolean): Promise<number | null> {
  try {
    const { rows } = await client.query<{ pid: number }>({
      text: 'select pg_backend_pid() as pid',
      ...(prepares ? { name: 'look' } : {}),
    });
    return rows[0]!.pid;
  } catch (error) {
    if (isForgotten(error)) return null;
    throw error;
  }
}

/** 26000: no such prepared statement. 42P05: another client's has its name (PostgreSQL, appendix A). */
function isForgotten(error: unknown): boolean {
  return ['26000', '42P05'].includes((error as { readonly code?: string }).code ?? '');
}

function merged(a: Asked, b: Asked): Asked {
  return { lends: a.lends || b.lends, forgets: a.forgets || b.forgets };
}

async function ended<T>(client: pg.Client, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } finally {
    void client.end();
  }
}
