import { mostAtOnce } from '@notify/core';
import { sql } from 'kysely';

/** The most bytes of a pack's events with a comma each. The post adds the id of the pack around them, and stays below 1 MB. */
export const packBytes = 1_000_000 - 100;

/** How long a delivery waits for others to fill a pack of webhook `w`, in SQL. No time without packs. */
export const packWait = sql`coalesce(make_interval(secs => w.pack_max_wait_ms::float8 / 1000), interval '0')`;

/** When a delivery `d` of webhook `w` is to be posted, in SQL: at the latest, if it may wait for others of its pack. */
export const dueAt = sql`(d.due_at + case when d.pack_id is null and d.attempts = 0 then ${packWait} else interval '0' end)`;

/**
 * Whether the first due deliveries of a webhook `w` that takes packs may go now, in SQL: one was packed or tried before,
 * waited as long as it may, or they fill a pack.
 */
export const mayPack = sql<boolean>`(
        select coalesce(bool_or(${dueAt} <= now()), false) or count(*) >= w.pack_max_events
        from (
          select pack_id, attempts, due_at from delivery_due
          where webhook_id = w.id and due_at <= now() and coalesce(claimed_until < now(), true)
          order by due_at limit w.pack_max_events
        ) d
      )`;

/**
 * Posts in flight are counted among this many of a webhook's oldest deliveries. These include all that other turns hold,
 * also turns that died with their process, and are more than the webhook may have in flight.
 */
export const lookedAt = 4 * mostAtOnce;

/** The same for a webhook `w` that may take packs, in SQL. */
export const lookedAtInPacks = sql`(${lookedAt}::int * coalesce(w.pack_max_events, 1))`;
