import type { Channel } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import { isTagged } from './filter.ts';

/**
 * Whether a webhook wants an event, in SQL: it is subscribed to it, and its filters fit if it has any. `webhook` and `event` are names of
 * rows of these tables. An event that lacks a field passes the filter on it; one of a group fits by any of its routes.
 */
export function isWanted(webhook: string, event: string): RawBuilder<boolean> {
  const of = (column: string): RawBuilder<unknown> => sql.ref(`${webhook}.${column}`);
  const [accountIds, channels, tags] = [of('account_ids'), of('channels'), of('tags')];
  const name = sql.ref(`${event}.event`);
  return sql`${name} = any (${of('events')}) and case
          when ${accountIds} is null and ${channels} is null and ${tags} is null then true
          else event_fits(${name}, ${sql.ref(`${event}.body`)}, ${accountIds}, ${channels}, ${tags}, true) end`;
}

/** Which events to read. An event that lacks a field does not match; one of a group matches by any of its routes. */
export interface EventFilter {
  readonly accountId?: string | undefined;
  readonly channel?: Channel | undefined;
  /** Only those of messages and groups with this tag. */
  readonly tag?: string | undefined;
}

/** Whether a row of `events` matches, in SQL. */
export function matchesFilter({ accountId, channel, tag }: EventFilter): RawBuilder<boolean> {
  const accountIds = accountId === undefined ? null : [accountId];
  const channels = channel === undefined ? null : [channel];
  const tagged = tag === undefined ? sql`true` : isTagged(sql`tags`, tag);
  if (accountIds === null && channels === null) return sql`${tagged}`;
  return sql`${tagged} and event_fits(event, body, ${accountIds}::uuid[], ${channels}::text[], null, false)`;
}
