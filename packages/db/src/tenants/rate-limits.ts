import { CompiledQuery } from 'kysely';
import type { Db } from '../connection/connect.ts';

/** The table that the rate limiters keep their counts in where there is no Redis. */
export const rateLimitTable = 'rate_limits';

/** As much of a `pg` pool as a rate limiter's Postgres store asks for. */
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
