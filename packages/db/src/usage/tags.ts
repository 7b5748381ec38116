import { countedTags, otherTag } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';

/**
 * The tagged ones among some messages, once for each tag that they count under, in SQL: `tagged`. A tag that is new on its day (UTC) gets
 * a row in `usage_tags`, unless the tenant has too many on that day. Messages of such tags count under `other`, once each. Whoever runs
 * this holds the lock of the counting (`progress.ts`), so no other statement adds tags.
 *
 * `messages` has `tenant_id`, `hour` and `tags`.
 */
export function nameTags(messages: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`
    asked_tags as materialized (
      select distinct tenant_id, date_trunc('day', hour, 'UTC') as day, tag
      from ${messages} cross join lateral unnest(tags) tag
    ),
    old_tags as materialized (
      select tenant_id, day, tag from usage_tags
      where (tenant_id, day) in (select tenant_id, day from asked_tags)
    ),
    new_tags as (
      insert into usage_tags (tenant_id, day, tag)
      select tenant_id, day, tag from (
        select a.*, row_number() over (partition by tenant_id, day order by tag) as place from asked_tags a
        where not exists (
          select from old_tags o where (o.tenant_id, o.day, o.tag) = (a.tenant_id, a.day, a.tag)
        )
      ) new
      where place + (select count(*) from old_tags o where (o.tenant_id, o.day) = (new.tenant_id, new.day))
        <= ${countedTags}::int
      order by 1, 2, 3
      returning tenant_id, day, tag
    ),
    named_tags as materialized (select * from old_tags union all select * from new_tags),
    tagged as materialized (
      select m.*, named.tag from ${messages} m cross join lateral (
        select distinct coalesce(n.tag, ${otherTag}) as tag from unnest(m.tags) of (tag)
        left join named_tags n
          on (n.tenant_id, n.day, n.tag) = (m.tenant_id, date_trunc('day', m.hour, 'UTC'), of.tag)
      ) named
    )`;
}
