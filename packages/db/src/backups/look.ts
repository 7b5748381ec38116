import { sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';

/** The limit of each statement, in ms. */
const statementMs = 20_000;

/** PostgreSQL, "Error Codes": undefined_table, undefined_column and undefined_function. */
const notInThisSchema = ['42P01', '42703', '42883'];

/** What a query found out, or why it could not. */
export type Looked<Found> =
  | { readonly kind: 'found'; readonly found: Found }
  /** The database is from a version whose schema lacks what is asked for. */
  | { readonly kind: 'older-schema' }
  | { readonly kind: 'failed'; readonly error: unknown };

/**
 * Runs a query in a read-only transaction of its own, so that none holds a snapshot for long. Its statements end after
 * 20 s each. Never rejects. `byIndex`: whatever the planner believes, rows are found by index, because a restored
 * database may have no statistics yet.
 */
export async function look<Found>(
  db: Db,
  query: (trx: Trx) => Promise<Found>,
  { byIndex = false } = {},
): Promise<Looked<Found>> {
  const others = byIndex ? 'off' : 'on';
  try {
    const found = await db
      .transaction()
      .setAccessMode('read only')
      .execute(async (trx) => {
        await sql`select set_config('statement_timeout', ${String(statementMs)}, true),
          set_config('enable_hashjoin', ${others}, true), set_config('enable_mergejoin', ${others}, true),
          set_config('enable_seqscan', ${others}, true), set_config('jit', 'off', true)`.execute(trx);
        return query(trx);
      });
    return { kind: 'found', found };
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return notInThisSchema.includes(code) ? { kind: 'older-schema' } : { kind: 'failed', error };
  }
}
