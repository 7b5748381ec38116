import { bucketsPerDoubling } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../connection/connect.ts';
import type { Counted, Pass } from './progress.ts';
import { nameTags } from './tags.ts';

/** The rows that one statement counted. */
export interface Stretch {
  readonly rows: number;
  /** The last row; null when there was none. */
  readonly last: string | null;
}

/** Reads the next `limit` rows and counts those that belong to the pass into `usage`. */
export async function countStretch(trx: Trx, source: Counted, pass: Pass, limit: number): Promise<Stretch> {
  const counting = source === 'events' ? countEvents(pass, limit) : countAttempts(pass, limit);
  const { rows } = await sql<Stretch>`
    with ${counting},
    ${addFigures(source)}
    select (select count(*)::int from scanned) as rows, (select id from scanned order by id desc limit 1) as last`.execute(
    trx,
  );
  return rows[0]!;
}

/**
 * Adds the rows of `figures` to the hours and the days of `usage`, in SQL, and those of `tag_figures`, which messages have, to
 * `usage_by_tag`. Sums of zero are left out.
 */
export function addFigures(source: Counted): RawBuilder<unknown> {
  const added = sql`
    spread as (
      select f.tenant_id, per, date_trunc(per, f.hour, 'UTC') as starts_at, f.source, f.subject_id, f.measure, f.detail,
        sum(f.total) as total
      from figures f cross join (values ('hour'), ('day')) as periods(per)
      group by 1, 2, 3, 4, 5, 6, 7 having sum(f.total) <> 0
    ),
    added as (
      insert into usage (tenant_id, per, starts_at, source, subject_id, measure, detail, total)
      select * from spread order by 1, 2, 3, 4, 5, 6, 7
      on conflict (tenant_id, per, starts_at, source, subject_id, measure, detail)
        do update set total = usage.total + excluded.total
      returning 1
    )`;
  return source === 'events' ? sql`${added}, ${addTagFigures}` : added;
}

const addTagFigures = sql`
    spread_by_tag as (
      select f.tenant_id, per, date_trunc(per, f.hour, 'UTC') as starts_at, f.tag, f.source, f.subject_id, f.measure, f.detail,
        sum(f.total) as total
      from tag_figures f cross join (values ('hour'), ('day')) as periods(per)
      group by 1, 2, 3, 4, 5, 6, 7, 8 having sum(f.total) <> 0
    ),
    added_by_tag as (
      insert into usage_by_tag as u (tenant_id, per, starts_at, tag, source, subject_id, measure, detail, total)
      select * from spread_by_tag order by 1, 2, 4, 3, 5, 6, 7, 8
      on conflict (tenant_id, per, tag, starts_at, source, subject_id, measure, detail)
        do update set total = u.total + excluded.total
      returning 1
    )`;

/** The account id of messages without an account. */
export const noAccount = '00000000-0000-0000-0000-000000000000';

/** The histogram bucket of a time in ms, in SQL. */
export function bucketOf(ms: RawBuilder<unknown>): RawBuilder<number> {
  return sql`floor(${bucketsPerDoubling}::float8 / ln(2) * ln(greatest(1, ${ms})))::int`;
}

/**
 * Whether a transaction of the pass wrote a row. A row holds 32 bits of its transaction, so transactions compare by
 * age.
 */
function isOfPass({ xid, nextXid }: Pass): RawBuilder<boolean> {
  const isAfter = xid === null ? sql`true` : sql`age(xmin) <= age(${xid}::xid8::xid)`;
  return sql`(age(xmin) > age(${nextXid}::xid8::xid) and ${isAfter})`;
}

/**
 * The changes that the new events report of each message, and the message's columns. Here and below, rows of large
 * tables are selected one by one or by an array: the planner cannot know how few they are, and might read the whole
 * table to join them.
 */
function tellNews(pass: Pass, limit: number): RawBuilder<unknown> {
  return sql`scanned as materialized (
      select id, message_id, event, sequence, occurred_at,
        case when event = 'message.failed' then body::json ->> 'errorCode' end as error_code,
        ${isOfPass(pass)} as is_new
      from events where id > ${pass.after}::uuid order by id limit ${limit}
    ),
    news as (
      select message_id,
        count(*) filter (where sequence = 1 and event <> 'message.received') as accepted,
        count(*) filter (where event = 'message.received') as received,
        count(*) filter (where event = 'message.sent') as sent,
        count(*) filter (where event = 'message.delivered') as delivered,
        count(*) filter (where event = 'message.read') as read,
        min(occurred_at) filter (where event = 'message.delivered') as delivered_at,
        min(sequence) filter (where event = 'message.failed') as failed_as,
        min(error_code) as error_code,
        array_agg(sequence) as told
      from scanned where is_new and message_id is not null group by message_id
    ),
    known as materialized (
      select n.*, m.tenant_id, date_trunc('hour', m.created_at, 'UTC') as hour, m.channel as source, m.emitted, m.tags,
        coalesce(m.channel_account_id, ${noAccount}) as subject_id,
        ${bucketOf(sql`date_part('epoch', n.delivered_at - greatest(m.created_at, m.scheduled_at)) * 1000 - coalesce(m.postponed_ms, 0)`)} as took
      from news n cross join lateral (
        select tenant_id, channel_account_id, channel, emitted, tags, created_at, scheduled_at, postponed_ms from messages where id = n.message_id offset 0
      ) m
    )`;
}

/**
 * Counts messages by the hour in which they were accepted, or received, whenever their status changed. Each event is emitted once,
 * so each counts one. A failure counts while it is the last event: any later event corrects it (`advance`).
 * `usage_failed` holds the failures that count. Counting the two events in either order gives the same figures.
 */
function countEvents(pass: Pass, limit: number): RawBuilder<unknown> {
  return sql`${tellNews(pass, limit)},
    failed as (
      insert into usage_failed (message_id, error_code, was_sent)
      select message_id, coalesce(error_code, 'unknown'), coalesce(array_position(emitted, 'sent') < failed_as, false)
      from known where failed_as = cardinality(emitted) order by message_id
      on conflict do nothing
      returning message_id, error_code, was_sent, 1 as change
    ),
    corrected as (
      delete from usage_failed where message_id = any (array(
        select message_id from known where array_position(emitted, 'failed') + 1 = any (told)))
      returning message_id, error_code, was_sent, -1 as change
    ),
    changed as (select * from failed union all select * from corrected),
    ${nameTags(sql`known`)},
    figures as (${newFiguresOf(sql`known`)}),
    tag_figures as (${newFiguresOf(sql`tagged`, sql`tag, `)})`;
}

/** What a pass adds to the figures of messages, in SQL. `tag`: a further column, with a comma. */
function newFiguresOf(messages: RawBuilder<unknown>, tag = sql``): RawBuilder<unknown> {
  return sql`
      select tenant_id, hour, ${tag}source, subject_id, measure, '' as detail, total
      from (
        select tenant_id, hour, ${tag}source, subject_id, sum(accepted) as accepted, sum(sent) as sent,
          sum(delivered) as delivered, sum(read) as read, sum(received) as received
        from ${messages} group by ${tag}tenant_id, hour, source, subject_id
      ) sums cross join lateral (values
        ('accepted', accepted), ('sent', sent), ('delivered', delivered), ('read', read), ('received', received)
      ) as v(measure, total)
      union all
      select tenant_id, hour, ${tag}source, subject_id, 'took', took::text, sum(delivered)
      from ${messages} where took is not null group by ${tag}tenant_id, hour, source, subject_id, took
      union all
      select tenant_id, hour, ${tag}source, subject_id, v.measure, v.detail, v.total
      from changed f join ${messages} m using (message_id)
      cross join lateral (values
        ('failure', f.error_code, f.change), ('failed-after-sent', '', f.change * f.was_sent::int)
      ) as v(measure, detail, total)`;
}

/** Counts attempts to deliver to webhooks, by the hour in which they began. Skips attempts of removed webhooks. */
function countAttempts(pass: Pass, limit: number): RawBuilder<unknown> {
  return sql`scanned as materialized (
      select id, webhook_id, number, status, began_at, ${isOfPass(pass)} as is_new
      from delivery_attempts where id > ${pass.after}::uuid order by id limit ${limit}
    ),
    known as (
      select w.tenant_id, date_trunc('hour', s.began_at, 'UTC') as hour, w.id as subject_id,
        case when s.status is null then 'none' else least(s.status / 100, 5) || 'xx' end as answer,
        count(*) as attempts, count(*) filter (where s.number = 2) as retried
      from scanned s join webhooks w on w.id = s.webhook_id
      where s.is_new and w.id = any (array(select distinct webhook_id from scanned)) group by 1, 2, 3, 4
    ),
    figures as (
      select tenant_id, hour, 'webhook' as source, subject_id, measure, detail, total
      from known cross join lateral (values
        ('attempts', answer, attempts), ('retried', '', retried)) as v(measure, detail, total)
    )`;
}
