import type { Db } from '@notify/db/connection';
import { sql } from 'kysely';

/**
 * A message that waited longer than this for its first attempt, from the time at which it was due, was delayed, in ms. A busy
 * machine delays some by half of it while every node is left alone.
 */
const delayedMs = 3_000;

export interface Pause {
  /** Until the last delayed message had left for its provider, from when the node went, in ms. 0 if none was delayed. */
  readonly ms: number;
  /** The longest that a message waited, in ms. */
  readonly longestWaitMs: number;
}

/** How turns paused after `wentAt`, as the messages show that were accepted within `withinMs` of it. */
export async function pauseAfter(db: Db, wentAt: Date, withinMs: number): Promise<Pause> {
  const { rows } = await sql<{ ms: number; longest: number }>`
    with started as (
      select greatest(m.created_at, m.scheduled_at) as due_at,
        (select min(a.started_at) from attempts a where a.message_id = m.id) as started_at
      from messages m where m.created_at between ${wentAt} and ${new Date(wentAt.getTime() + withinMs)}
    )
    select coalesce(extract(epoch from max(started_at) filter (
        where started_at - due_at > ${`${delayedMs} ms`}::interval) - ${wentAt}::timestamptz), 0)::float8 * 1000 as ms,
      coalesce(extract(epoch from max(started_at - due_at)), 0)::float8 * 1000 as longest
    from started`.execute(db);
  const { ms, longest } = rows[0]!;
  return { ms, longestWaitMs: longest };
}
