import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../connection/connect.ts';
import type { Span as Stretch, Step } from '../connection/walk-down.ts';
import { fits, type MessageFilter, namedBy } from './filter.ts';

/** What a step looks for. */
interface Wanted {
  readonly tenantId: string;
  readonly filter: MessageFilter;
}

/** What a step looks at, from an id on. */
export interface Span extends Stretch {
  readonly from: string;
}

/** Reads the next `rows` messages that the search may be about, in a transaction that reads indexes in order. */
export function takeStep(trx: Trx, search: Wanted, span: Span): Promise<Step> {
  const { tenantId, filter } = search;
  const named = namedBy(tenantId, filter);
  if (named !== null)
    return lookAt(trx, search, span, sql`select id from (${named}) named where ${within(span)}`);
  if (filter.errorCode !== undefined) return walkFailed(trx, search, span, filter.errorCode);
  if (filter.scheduled === true) return lookAt(trx, search, span, scheduled(tenantId, span));
  if (filter.tag !== undefined) return lookAt(trx, search, span, tagged(tenantId, filter.tag, span));
  return walk(trx, search, span);
}

/**
 * Compares and sorts by pairs of tenant and id, which makes Postgres use the index on both. The index on the id alone holds the
 * messages of all tenants.
 */
function walk(trx: Trx, { tenantId, filter }: Wanted, { from, before, rows, wanted }: Span): Promise<Step> {
  const lookedAt = sql`
    select id, ${fits(filter)} as fits from messages
    where (tenant_id, id) < (${tenantId}::uuid, ${before}::uuid)
      and (tenant_id, id) >= (${tenantId}::uuid, ${from}::uuid)
    order by tenant_id desc, id desc limit ${rows}::int`;
  return found(trx, sql`looked_at as materialized (${lookedAt})`, { rows, wanted });
}

/** The same by the index of those that failed. */
function walkFailed(
  trx: Trx,
  { tenantId, filter }: Wanted,
  { from, before, rows, wanted }: Span,
  errorCode: string,
): Promise<Step> {
  const lookedAt = sql`
    select id, ${fits(filter)} as fits from messages
    where (tenant_id, error_code, id) < (${tenantId}::uuid, ${errorCode}::text, ${before}::uuid)
      and (tenant_id, error_code, id) >= (${tenantId}::uuid, ${errorCode}::text, ${from}::uuid)
      and error_code is not null
    order by tenant_id desc, error_code desc, id desc limit ${rows}::int`;
  return found(trx, sql`looked_at as materialized (${lookedAt})`, { rows, wanted });
}

/** Looks at the next `rows` of some messages, which may be few among many, by their ids. */
function lookAt(
  trx: Trx,
  { tenantId, filter }: Wanted,
  { rows, wanted }: Span,
  ids: RawBuilder<unknown>,
): Promise<Step> {
  const ctes = sql`few as materialized (${ids} order by id desc limit ${rows}::int),
    looked_at as materialized (
      select message.id, fits from few cross join lateral (
        select id, ${fits(filter)} as fits from messages where id = few.id and tenant_id = ${tenantId}::uuid offset 0
      ) message order by message.id desc
    )`;
  return found(trx, ctes, { rows, wanted }, sql`few`);
}

/** Messages that wait for their own time, in SQL: the next `rows` of each account of the tenant. */
function scheduled(tenantId: string, span: Span): RawBuilder<unknown> {
  const next = sql`${within(span, sql`message_id`)} order by message_id desc limit ${span.rows}::int`;
  return sql`
      select message_id as id from channel_accounts a cross join lateral (
        (select message_id from scheduled_messages where account_id = a.id and ${next})
        union all
        (select message_id from dispatch_due
          where account_id = a.id and bulk = any ('{f,t}') and due_at > now() and scheduled_at > now() and ${next})
      ) both_places
      where a.tenant_id = ${tenantId}::uuid`;
}

/** Messages with a tag, in SQL. */
function tagged(tenantId: string, tag: string, span: Span): RawBuilder<unknown> {
  return sql`select message_id as id from message_tags
      where tenant_id = ${tenantId}::uuid and tag = ${tag}::text and ${within(span, sql`message_id`)}`;
}

function within({ from, before }: Span, id: RawBuilder<unknown> = sql`id`): RawBuilder<unknown> {
  return sql`${id} < ${before}::uuid and ${id} >= ${from}::uuid`;
}

/** `read`: where all rows of the step are, newest first. */
async function found(
  trx: Trx,
  ctes: RawBuilder<unknown>,
  { rows, wanted }: Pick<Span, 'rows' | 'wanted'>,
  read: RawBuilder<unknown> = sql`looked_at`,
): Promise<Step> {
  const { rows: steps } = await sql<{ ids: string[]; next: string | null }>`
    with ${ctes}
    select array(select id from looked_at where fits limit ${wanted}::int) as ids,
      (select id from ${read} offset ${rows}::int - 1) as next`.execute(trx);
  return steps[0] ?? { ids: [], next: null };
}
