import { lowestId, lowestIdAt } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';
import { addFigures, bucketOf, noAccount } from './count.ts';
import { type Counted, overlapMs } from './progress.ts';
import { nameTags } from './tags.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The most that the time in a message's id may differ from its time of acceptance, in ms. */
const idSlackMs = hourMs;
/** A post is recorded when it has ended, or when the database is back: at most this long after it began, in ms. */
const recordedWithinMs = dayMs;

/**
 * Counts one day (UTC, from `day` on) again and corrects the figures of its hours and of the day. It counts the
 * messages accepted in the day, one hour per transaction, or the posts to webhooks begun in it, the whole day at once.
 * All of these rows must still be kept. Only `rollUpUsage` waits for it, for one transaction at a time. After an
 * interruption it can be run again. Posts to removed webhooks keep their figures. Returns how many figures of an hour
 * or the day were wrong.
 */
export async function recountDay(db: Db, what: 'messages' | 'posts', day: Date): Promise<number> {
  const source = what === 'messages' ? 'events' : 'delivery_attempts';
  let corrected = 0;
  if (what === 'posts') corrected += await recount(db, source, (mark) => postFigures(day, mark));
  else
    for (let ms = 0; ms < dayMs; ms += hourMs) {
      const hour = new Date(day.getTime() + ms);
      corrected += await recount(db, source, (mark) => messageFigures(hour, mark));
    }
  return corrected + (await sumHours(db, source, day));
}

/** How far a table is counted; see `Pass`. */
interface Mark {
  readonly asOf: Date | null;
  readonly xid: string | null;
  readonly nextXid: string | null;
  readonly after: string;
}

function recount(db: Db, source: Counted, figures: (mark: Mark) => RawBuilder<unknown>): Promise<number> {
  return db.transaction().execute(async (trx) => {
    const mark = await lockMark(trx, source);
    await sql`set local jit = off`.execute(trx);
    const { rows } = await sql<{ corrected: number }>`
      with ${figures(mark)},
      ${addFigures(source)}
      select ${source === 'events' ? sql`(select count(*)::int from added_by_tag) + ` : sql``}count(*)::int as corrected
      from added`.execute(trx);
    return rows[0]!.corrected;
  });
}

/** Sets the figures of a day to the sums of its hours. */
function sumHours(db: Db, source: Counted, day: Date): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await lockMark(trx, source);
    if (source === 'delivery_attempts')
      return sumHoursOf(trx, day, { table: sql`usage`, ofSource: sql`source = 'webhook'`, tag: sql`` });
    const messages = { table: sql`usage`, ofSource: sql`source <> 'webhook'`, tag: sql`` };
    const tags = { table: sql`usage_by_tag`, ofSource: sql`true`, tag: sql`tag, ` };
    return (await sumHoursOf(trx, day, messages)) + (await sumHoursOf(trx, day, tags));
  });
}

/** Figures that are kept by the hour and by the day. `tag`: a further column, with a comma. */
interface Kept {
  readonly table: RawBuilder<unknown>;
  readonly ofSource: RawBuilder<unknown>;
  readonly tag: RawBuilder<unknown>;
}

async function sumHoursOf(trx: Trx, day: Date, { table, ofSource, tag }: Kept): Promise<number> {
  const until = new Date(day.getTime() + dayMs);
  const subject = sql`tenant_id, ${tag}source, subject_id, measure, detail`;
  const { numAffectedRows } = await sql`
    with hours as (
      select ${subject}, total from ${table}
      where per = 'hour' and starts_at >= ${day} and starts_at < ${until} and ${ofSource}
      union all
      select ${subject}, 0 from ${table} where per = 'day' and starts_at = ${day} and ${ofSource}
    ),
    sums as (select ${subject}, sum(total) as total from hours group by ${subject} order by ${subject})
    insert into ${table} as kept (per, starts_at, ${subject}, total)
    select 'day', ${day}::timestamptz, ${subject}, total from sums
    on conflict (tenant_id, per, starts_at, ${tag}source, subject_id, measure, detail)
      do update set total = excluded.total where kept.total <> excluded.total`.execute(trx);
  return Number(numAffectedRows ?? 0);
}

/** Stops the counting of the table until this transaction ends. */
async function lockMark(trx: Trx, source: Counted): Promise<Mark> {
  const { rows } = await sql<Mark>`
    select as_of as "asOf", xid::text, next_xid::text as "nextXid", after
    from usage_progress where source = ${source} for update`.execute(trx);
  return rows[0]!;
}

/** Whether a row has been counted. */
function isCounted({ xid, nextXid, after }: Mark): RawBuilder<boolean> {
  const before = xid === null ? sql`false` : sql`age(xmin) > age(${xid}::xid8::xid)`;
  const inPass =
    nextXid === null ? sql`false` : sql`(age(xmin) > age(${nextXid}::xid8::xid) and id <= ${after}::uuid)`;
  return sql`(${before} or ${inPass})`;
}

/**
 * The figures that the messages give now, minus the events still to be counted, minus the stored figures.
 * `usage_failed` holds each message that counts as failed, so counting its event later changes nothing.
 */
function messageFigures(start: Date, mark: Mark): RawBuilder<unknown> {
  const at = (afterMs: number) => new Date(start.getTime() + afterMs);
  const hour = sql`${start}::timestamptz`;
  const uncountedFrom = mark.asOf === null ? lowestId : lowestIdAt(new Date(mark.asOf.getTime() - overlapMs));
  return sql`
    message as materialized (
      select id, tenant_id, ${hour} as hour, tags, channel as source, coalesce(channel_account_id, ${noAccount}) as subject_id, emitted,
        error_code, delivered_at, created_at, scheduled_at, postponed_ms
      from messages
      where id >= ${lowestIdAt(at(-idSlackMs))} and id < ${lowestIdAt(at(hourMs + idSlackMs))}
        and created_at >= ${at(0)} and created_at < ${at(hourMs)}
    ),
    uncounted as materialized (
      select message_id, event, occurred_at from events
      where id > ${uncountedFrom}::uuid and message_id is not null and not ${isCounted(mark)}
    ),
    ${correctFailing},
    told as (
      select id as message_id, kind, delivered_at, 1 as change from message cross join lateral unnest(emitted) as kind
      union all
      select message_id, substr(event, length('message.') + 1), occurred_at, -1 from uncounted
    ),
    ${nameTags(sql`message`)},
    figures as (
      ${wholeFiguresOf(sql`message`)}
      union all
      select tenant_id, starts_at, source, subject_id, measure, detail, -total from usage
      where per = 'hour' and starts_at = ${at(0)} and source <> 'webhook'
    ),
    tag_figures as (
      ${wholeFiguresOf(sql`tagged`, sql`tag, `)}
      union all
      select tenant_id, starts_at, tag, source, subject_id, measure, detail, -total from usage_by_tag
      where per = 'hour' and starts_at = ${at(0)}
    )`;
}

/** The figures of messages from their first event on, in SQL. `tag`: a further column, with a comma. */
function wholeFiguresOf(messages: RawBuilder<unknown>, tag = sql``): RawBuilder<unknown> {
  const took = bucketOf(
    sql`date_part('epoch', f.delivered_at - greatest(m.created_at, m.scheduled_at)) * 1000 - coalesce(m.postponed_ms, 0)`,
  );
  const subject = sql`m.tenant_id, m.hour, ${tag}m.source, m.subject_id, v.measure, v.detail`;
  return sql`select ${subject}, sum(f.change) as total
      from told f join ${messages} m on m.id = f.message_id cross join lateral (values
        (case when f.kind = m.emitted[1] and f.kind <> 'received' then 'accepted' end, ''),
        (case when f.kind in ('sent', 'delivered', 'read', 'received') then f.kind end, ''),
        (case when f.kind = 'delivered' then 'took' end, ${took}::text)
      ) as v(measure, detail)
      where v.measure is not null and v.detail is not null group by ${subject}
      union all
      select ${subject}, sum(v.total)
      from failing f join ${messages} m on m.id = f.message_id cross join lateral (values
        ('failure', f.error_code, 1), ('failed-after-sent', '', f.was_sent::int)
      ) as v(measure, detail, total) group by ${subject}`;
}

/**
 * Makes `usage_failed` hold the rows of `message` whose last event is a failure, in SQL. `failing` holds these rows.
 */
const correctFailing: RawBuilder<unknown> = sql`
    failing as (
      insert into usage_failed (message_id, error_code, was_sent)
      select id, coalesce(error_code, 'unknown'),
        coalesce(array_position(emitted, 'sent') < array_position(emitted, 'failed'), false)
      from message where emitted[cardinality(emitted)] = 'failed' order by id
      on conflict (message_id) do update set error_code = excluded.error_code, was_sent = excluded.was_sent
      returning message_id, error_code, was_sent
    ),
    not_failing as (
      delete from usage_failed where message_id = any (array(
        select id from message where emitted[cardinality(emitted)] is distinct from 'failed'))
    )`;

/** The counted posts minus the stored figures. Posts never change. */
function postFigures(start: Date, mark: Mark): RawBuilder<unknown> {
  const at = (afterMs: number) => new Date(start.getTime() + afterMs);
  return sql`
    post as materialized (
      select webhook_id, number, status, began_at from delivery_attempts
      where id >= ${lowestIdAt(at(-idSlackMs))} and id < ${lowestIdAt(at(dayMs + recordedWithinMs))}
        and began_at >= ${at(0)} and began_at < ${at(dayMs)} and ${isCounted(mark)}
    ),
    known as (
      select w.tenant_id, date_trunc('hour', p.began_at, 'UTC') as hour, w.id as subject_id,
        case when p.status is null then 'none' else least(p.status / 100, 5) || 'xx' end as answer,
        count(*) as attempts, count(*) filter (where p.number = 2) as retried
      from post p join webhooks w on w.id = p.webhook_id group by 1, 2, 3, 4
    ),
    figures as (
      select tenant_id, hour, 'webhook' as source, subject_id, measure, detail, total
      from known cross join lateral (values
        ('attempts', answer, attempts), ('retried', '', retried)) as v(measure, detail, total)
      union all
      select u.tenant_id, u.starts_at, u.source, u.subject_id, u.measure, u.detail, -u.total
      from usage u join webhooks w on w.id = u.subject_id
      where u.per = 'hour' and u.starts_at >= ${at(0)} and u.starts_at < ${at(dayMs)} and u.source = 'webhook'
    )`;
}
