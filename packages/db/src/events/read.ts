import { highestId, lowestIdAt } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';
import { readInOrder } from '../connection/read-in-order.ts';
import { type EventFilter, matchesFilter } from '../messages/wanted-events.ts';
import type { Look } from './look.ts';
import { beginOfNews, type Snapshot } from './snapshot.ts';

/** The events of transactions that `to` has seen and `from` has not (null: has seen none), after the event `after`. */
export interface Pass {
  readonly from: Snapshot | null;
  readonly to: Snapshot;
  /** An event's id, or any other. */
  readonly after: string;
}

/** Where a reader is: inside a pass, or after everything that `from` has seen. */
export type Place = Pass | { readonly from: Snapshot };

/** An event as its webhooks get it. */
export interface StoredEvent {
  readonly id: string;
  /** The posted JSON, byte for byte. */
  readonly body: string;
}

export interface EventPage {
  readonly events: readonly StoredEvent[];
  /** Where the pass goes on. Null when it has ended. */
  readonly next: Pass | null;
  /** The database's clock. */
  readonly at: Date;
}

/**
 * The tolerance in ms, as the usage figures have it: the clock may go back by this much, or an id may be made this long
 * before its transaction gets its number.
 */
const overlapMs = 5_000;

/** Rows that one statement looks at: a few milliseconds. */
const scannedRows = 5_000;

/** The pass that reads what was committed between `from` and the look. Null when there is nothing to read. */
export function passBetween(from: Snapshot, { snapshot: to, at }: Look, notBefore: Date): Pass | null {
  const news = beginOfNews(from, to);
  return news === null ? null : { from, to, after: lowestOf(news, at, notBefore) };
}

/** If the clock has gone back, so have the ids. */
function lowestOf(news: number, at: Date, notBefore: Date): string {
  const ms = Math.min(news, at.getTime()) - overlapMs;
  return lowestIdAt(new Date(Math.max(ms, notBefore.getTime())));
}

/** The size of a page: at least one event, at most `limit`, and none more once their bodies have `maxBytes`. */
interface PageSize {
  readonly limit: number;
  readonly maxBytes: number;
}

/**
 * The next events of a tenant's pass, in id order. Looks at a bounded number of rows, so a page may be short or
 * empty and still have a `next`. Tests of webhooks are left out: they are for one webhook alone.
 */
export function readEvents(
  db: Db,
  tenantId: string,
  pass: Pass,
  size: PageSize,
  filter: EventFilter = {},
): Promise<EventPage> {
  return db.transaction().execute(async (trx) => {
    await readInOrder(trx);
    const { ids, last, at } = await scan(trx, tenantId, pass, size, filter);
    const events = await findEvents(trx, tenantId, ids);
    return { events, next: last === null ? null : { ...pass, after: last }, at };
  });
}

interface Scanned {
  readonly ids: readonly string[];
  /** Where the pass goes on. Null when the scan reached the end of the tenant's events. */
  readonly last: string | null;
  readonly at: Date;
}

async function scan(
  trx: Trx,
  tenantId: string,
  pass: Pass,
  { limit, maxBytes }: PageSize,
  filter: EventFilter,
): Promise<Scanned> {
  const range = sql`events where ${isAfter(sql`${tenantId}::uuid`, pass.after)} order by tenant_id, id`;
  const { rows } = await sql<Scanned>`
    with found as materialized (
      select id, octet_length(body) as bytes from (
        select id, body, event <> 'webhook.test' and ${isOfPass(pass)} and ${matchesFilter(filter)} as is_new from ${range} limit ${scannedRows}::int
      ) scanned where is_new limit ${limit}::int
    ),
    page as materialized (
      select id from (select id, sum(bytes) over (order by id) - bytes as before from found) sized
      where before < ${maxBytes}::bigint
    )
    select array(select id from page order by id) as ids, clock_timestamp() as at,
      case when (select count(*) from found) < ${limit}::int and (select count(*) from page) = (select count(*) from found)
        then (select id from ${range} offset ${scannedRows}::int - 1 limit 1)
        else (select id from page order by id desc limit 1) end as last`.execute(trx);
  return rows[0]!;
}

async function findEvents(trx: Trx, tenantId: string, ids: readonly string[]): Promise<StoredEvent[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<StoredEvent>`
    select id, body from events where id = any (${ids}::uuid[]) and tenant_id = ${tenantId}::uuid
    order by id`.execute(trx);
  return rows;
}

/** Which of these tenants have events in the pass. One statement for any number of them. */
export function tenantsWithNews(db: Db, tenantIds: readonly string[], pass: Pass): Promise<Set<string>> {
  return db.transaction().execute(async (trx) => {
    await readInOrder(trx);
    const { rows } = await sql<{ id: string }>`
      select w.id from unnest(${tenantIds}::uuid[]) as w(id) cross join lateral (
        select from events
        where ${isAfter(sql`w.id`, pass.after)} and event <> 'webhook.test' and ${isOfPass(pass)}
        order by tenant_id desc, id desc limit 1
      ) news`.execute(trx);
    return new Set(rows.map(({ id }) => id));
  });
}

/**
 * Compares and sorts by pairs of tenant and id, which makes Postgres use the index on both. The second comparison of the
 * id leaves out partitions.
 */
function isAfter(tenantId: RawBuilder<unknown>, after: string): RawBuilder<boolean> {
  return sql`(tenant_id, id) > (${tenantId}, ${after}::uuid) and (tenant_id, id) <= (${tenantId}, ${highestId}::uuid)
    and id > ${after}::uuid`;
}

function isOfPass({ from, to }: Pass): RawBuilder<boolean> {
  return from === null
    ? wasSeen(to, to.xmax)
    : sql`(${wasSeen(to, to.xmax)} and not ${wasSeen(from, to.xmax)})`;
}

/**
 * Whether the transaction that wrote the row had ended at the snapshot. A row holds 32 bits of its transaction, so its
 * number follows from its distance to a transaction of this week. Snapshots do not name subtransactions: events are
 * never written inside a savepoint (the architecture check keeps it).
 */
function wasSeen({ xmax, running }: Snapshot, near: number): RawBuilder<boolean> {
  const xid = sql`(${String(near)}::bigint + age(${String(near)}::xid8::xid) - age(xmin))`;
  const ended = sql`${xid} < ${String(xmax)}::bigint`;
  if (running.length === 0) return sql`(${ended})`;
  return sql`(${ended} and ${xid} <> all (${running.map(([one]) => String(one))}::bigint[]))`;
}
