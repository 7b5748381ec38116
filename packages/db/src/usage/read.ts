import type { Channel } from '@notify/core';
import { lowestIdAt } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';

export interface UsageQuery {
  readonly tenantId: string;
  readonly per: 'hour' | 'day';
  /** `from` and `until` are starts of an hour or day in UTC. `until` is excluded. */
  readonly from: Date;
  readonly until: Date;
  /** Undefined matches all. */
  readonly channel?: Channel | undefined;
  readonly accountId?: string | undefined;
  /** `other` is also what counts beyond the tags that a day has figures for. */
  readonly tag?: string | undefined;
}

/**
 * One figure about messages: how many were `accepted`, `sent`, `delivered`, `read`, `failed`, or `failed-after-sent`
 * (of those sent), by the hour or day in which they were accepted, and how many were `received` from people in it. Two measures exist for the whole time only
 * (`startsAt` null): `took` counts messages by time to delivery (`detail` is a bucket of the histogram), and `failure`
 * counts failed ones (`detail` is the error code).
 */
export interface MessageFigure {
  readonly startsAt: Date | null;
  readonly channel: Channel;
  readonly measure: string;
  readonly detail: string;
  readonly total: number;
}

/** The health of a webhook, and its posts in the time asked for. */
export interface WebhookFigures {
  readonly id: string;
  readonly url: string;
  readonly isActive: boolean;
  readonly failureCount: number;
  /** Deliveries that needed a second attempt. */
  readonly retried: number;
  /** Failed deliveries of events of this time. */
  readonly failed: number;
  /** By the class of the response status: `2xx` to `5xx`, or `none`. */
  readonly attempts: Readonly<Record<string, number>>;
}

export interface Usage {
  /** All rows committed before this time are counted. Null before the first count. */
  readonly asOf: Date | null;
  readonly messages: readonly MessageFigure[];
  readonly webhooks: readonly WebhookFigures[];
}

/** The figures of a tenant, as far as they are counted. */
export async function readUsage(db: Db, query: UsageQuery): Promise<Usage> {
  return {
    asOf: await countedUntil(db),
    messages: await messageFigures(db, query),
    webhooks: await webhookFigures(db, query),
  };
}

async function countedUntil(db: Db): Promise<Date | null> {
  const { rows } = await sql<{ as_of: Date | null }>`
    select case when bool_and(as_of is not null) then min(as_of) end as as_of from usage_progress`.execute(
    db,
  );
  return rows[0]?.as_of ?? null;
}

async function messageFigures(db: Db, query: UsageQuery): Promise<MessageFigure[]> {
  const { tenantId, per, from, until, channel = null, accountId = null, tag } = query;
  const figures = tag === undefined ? sql`usage where` : sql`usage_by_tag where tag = ${tag} and`;
  const { rows } = await sql<MessageFigure>`
    with found as (
      select starts_at, source, measure, detail, sum(total)::float8 as total
      from ${figures} tenant_id = ${tenantId} and per = ${per} and starts_at >= ${from} and starts_at < ${until}
        and source <> 'webhook' and source = coalesce(${channel}, source)
        and subject_id = coalesce(${accountId}::uuid, subject_id)
      group by 1, 2, 3, 4
    )
    select starts_at as "startsAt", source as channel, case measure when 'failure' then 'failed' else measure end as measure,
      '' as detail, sum(total) as total
    from found where measure <> 'took' group by 1, 2, 3
    union all
    select null, source, measure, detail, sum(total) from found where measure in ('took', 'failure') group by 2, 3, 4`.execute(
    db,
  );
  return rows;
}

async function webhookFigures(db: Db, query: UsageQuery): Promise<WebhookFigures[]> {
  const { tenantId, per, from, until } = query;
  const { rows } = await sql<WebhookFigures>`
    with posted as (
      select subject_id, measure, detail, sum(total)::float8 as total
      from usage
      where tenant_id = ${tenantId} and per = ${per} and starts_at >= ${from} and starts_at < ${until}
        and source = 'webhook'
      group by 1, 2, 3
    )
    select w.id, w.url, w.is_active as "isActive", w.failure_count as "failureCount",
      coalesce((select total from posted where subject_id = w.id and measure = 'retried'), 0) as retried,
      coalesce((
        select json_object_agg(detail, total) from posted where subject_id = w.id and measure = 'attempts'), '{}') as attempts,
      (
        select count(*)::int from deliveries d
        where d.webhook_id = w.id and d.state = 'failed'
          and d.id >= ${lowestIdAt(from)}::uuid and d.id < ${lowestIdAt(until)}::uuid
      ) as failed
    from webhooks w where w.tenant_id = ${tenantId} order by w.id`.execute(db);
  return rows;
}
