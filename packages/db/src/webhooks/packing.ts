import { mostAtOnce } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';

/** The most bytes of a pack's events with a comma each. The post adds the id of the pack around them, and stays below 1 MB. */
export const packBytes = 1_000_000 - 100;

/**
 * Whether the first due deliveries of a webhook `w` that takes packs may go now, in SQL: one was packed or tried before,
 * waited as long as it may, or they fill a pack.
 */
export const mayPack = sql<boolean>`(
        select coalesce(bool_or(d.pack_id is not null or d.attempts > 0 or d.due_at <= now() - ${packWait('w')}), false)
          or count(*) >= w.pack_max_events
        from (
          select pack_id, attempts, due_at from delivery_due
          where webhook_id = w.id and due_at <= now() and coalesce(claimed_until < now(), true)
          order by due_at limit w.pack_max_events
        ) d
      )`;

/** How long a delivery waits for others to fill its pack. Null without packs. */
export function packWait(webhook: string): RawBuilder<unknown> {
  return sql`make_interval(secs => ${sql.ref(`${webhook}.pack_max_wait_ms`)}::float8 / 1000)`;
}

/** When a delivery `d` of webhook `w` is to be posted, in SQL: at the latest, if it may wait for others of its pack. */
export const dueAt = sql`(d.due_at + case when d.pack_id is null and d.attempts = 0
        then coalesce(${packWait('w')}, interval '0') else interval '0' end)`;

/**
 * Posts in flight are counted among this many of a webhook's oldest deliveries, in SQL. These include all that other turns
 * hold, also turns that died with their process.
 */
export const lookedAtOf = (webhook: string): RawBuilder<unknown> =>
  sql`(${4 * mostAtOnce}::int * coalesce(${sql.ref(`${webhook}.pack_max_events`)}, 1))`;
