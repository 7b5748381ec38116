import { type RawBuilder, sql } from 'kysely';

/*
 * Accounts are paced as GCRA paces cells (ITU-T I.371), across all processes, in the account's own row: one message
 * takes 1 / per_second, and a tenth of a second's worth may go at once.
 */

/** How many messages of a paced account may go now, in SQL. */
export function freeOf(account: string): RawBuilder<number> {
  const a = sql.ref(account);
  return sql`floor(${burstOf(account)} - greatest(0,
    extract(epoch from ${a}.paced_until - now()) * ${a}.per_second + ${burstOf(account)} - 1))`;
}

/** When the next message may go if `count` are taken now, in SQL. */
export function pacedAfter(account: string, count: RawBuilder<unknown>): RawBuilder<Date> {
  const a = sql.ref(account);
  const burst = sql`make_interval(secs => (${burstOf(account)} - 1) / ${a}.per_second)`;
  return sql`greatest(coalesce(${a}.paced_until, '-infinity') + ${burst}, now())
    + make_interval(secs => ${count} / ${a}.per_second) - ${burst}`;
}

function burstOf(account: string): RawBuilder<number> {
  return sql`greatest(1, ${sql.ref(account)}.per_second / 10)::float8`;
}
