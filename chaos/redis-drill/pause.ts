import type { Db } from '@notify/db/connection';
import { sql } from 'kysely';

/** A message that waited longer than this for its first attempt, from the time at which it was due, was delayed, in ms. */
const delayedMs = 1_500;

/**
 * How long turns paused after `wentAt`, in ms: until the last delayed message of those accepted within `withinMs` of it
 * left for its provider. 0 if none was delayed.
 */
export async function pauseMs(db: Db, wentAt: Date, withinMs: number): Promise<number> {
  const { rows } = await sql<{ ms: number | null }>`
    select extract(epoch from max(first.started_at) - ${wentAt}::timestamptz)::float8 * 1000 as ms
      from messages m
      join lateral (
        select min(a.started_at) as started_at from attempts a where a.message_id = m.id
      ) first on true
      where m.created_at between ${wentAt} and ${new Date(wentAt.getTime() + withinMs)}
        and first.started_at - greatest(m.created_at, m.scheduled_at) > ${`${delayedMs} ms`}::interval`.execute(db);
  return rows[0]?.ms ?? 0;
}
