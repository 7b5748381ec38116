// Filters of webhooks. Compatible from version 0.1.0, which knows none and writes deliveries of all subscribed events.
import { type Kysely, sql } from 'kysely';

export const transaction = true;
export const compatibleFrom = '0.1.0';
export const locks = { webhooks: 'access exclusive' };

export async function up(db: Kysely<never>): Promise<void> {
  // Whether an event is of one of these accounts and channels, and has one of these tags. Null: no filter. `if_lacking` is for an event
  // that has no account or channel, or whose kind has no tags. It reads the body, so that events need no further columns; a group fits
  // by any of its routes. Only called where there is a filter. Postgres does not inline it, so nobody else prepares its look-up.
  await sql`
    create function event_fits(
      event text, body text, account_ids uuid[], channels text[], tags text[], if_lacking boolean
    ) returns boolean language sql stable parallel safe as $$
      select (
        event_fits.tags is null or case
          when posted -> 'tags' is not null then exists (
            select from json_array_elements_text(posted -> 'tags') t(tag) where tag = any (event_fits.tags)
          )
          when event like 'group.%' or event like 'message.%' and event <> 'message.received' then false
          else if_lacking
        end
      ) and (
        account_ids is null and channels is null or exists (
          select from (
            select posted ->> 'channelAccountId', posted ->> 'provider'
            union all
            select route ->> 'accountId', route ->> 'channel'
            from message_groups g cross join json_array_elements(g.routes) r(route)
            where event like 'group.%' and g.id = substr(posted ->> 'groupId', 5)::uuid
          ) places(account_id, channel)
          where (account_ids is null or coalesce(account_id::uuid = any (account_ids), if_lacking))
            and (channels is null or coalesce(channel = any (channels), if_lacking))
        )
      )
      from (select body::json as posted) parsed
    $$`.execute(db);

  // Last, because every send reads the table.
  await sql`
    alter table webhooks add column account_ids uuid[], add column channels text[], add column tags text[]`.execute(
    db,
  );
}
