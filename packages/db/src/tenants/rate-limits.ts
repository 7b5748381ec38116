import { CompiledQuery } from 'kysely';
import type { Db } from '../connection/connect.ts';

/** The table in which the rate limiters count when there is no Redis. */
export const rateLimitTable = 'rate_limits';

/** The part of a `pg` pool that a rate limiter's Postgres store uses. */
export interface RateLimitClient {
  query(query: { readonly text: string; readonly values?: readonly unknown[] }): Promise<{
    readonly rows: readonly unknown[];
    readonly rowCount: number;
  }>;
}

/** Lets the rate limiters share the connections of `db`. */
export function rateLimitClient(db: Db): RateLimitClient {
  return {
    async query({ text, values = [] }) {
      const { rows } = await db.executeQuery(CompiledQuery.raw(text, [...values]));
      return { rows, rowCount: rows.length };
    },
  };
}
