import type { Lane } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Trx } from '../connection/connect.ts';
import { type Backlog, backlogs } from './backlog-kinds.ts';
import type { BacklogKind, Busy, Slow } from './figures.ts';

/** Rows are counted exactly up to here. */
export const countedUpTo = 10_000;
/** Larger numbers are estimated from this many pages of the table, chosen at random. */
const sampledPages = 300;
/** How many accounts, webhooks and tenants are named. */
const named = 5;
/** How many accounts or webhooks of each lane `Oldest` keeps in `ids`. */
const kept = 20;

/** Those whose items have been due longest. */
export interface Oldest {
  /** Lanes without due items are left out. */
  readonly lanes: Readonly<Partial<Record<Lane, OldestOfLane>>>;
  readonly subjects: readonly Slow[];
  readonly tenants: readonly Slow[];
  /** The first accounts or webhooks of each lane. */
  readonly ids: readonly string[];
}

export interface OldestOfLane {
  readonly oldestMs: number;
  /** How many accounts or webhooks have due items. */
  readonly subjects: number;
}

/** What was seen of the items that wait. If it was only a part, counts are to be multiplied by `scale`. */
export interface Seen {
  readonly count: number;
  readonly scale: number;
  /** Due items by lane. */
  readonly due: Readonly<Partial<Record<Lane, number>>>;
  /** Those with the most waiting items. */
  readonly subjects: readonly Named[];
  readonly tenants: readonly Named[];
  readonly oldest: Oldest;
}

interface Named {
  readonly id: string;
  readonly tenantId: string;
  readonly count: number;
}

/** Looks at everything that waits, unless that is more than `countedUpTo`. */
export async function seeAll(trx: Trx, kind: BacklogKind): Promise<Seen | 'many'> {
  const { table, subject } = backlogs[kind];
  const bound = sql.lit(countedUpTo + 1);
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from (select from ${table} order by ${subject} limit ${bound})`.execute(
    trx,
  );
  if (rows[0]!.count > countedUpTo) return 'many';
  return see(trx, kind, sql`(select * from ${table} order by ${subject} limit ${bound})`, 1);
}

/** Looks at a bounded number of random pages of the items. */
export async function seeSome(trx: Trx, kind: BacklogKind): Promise<Seen> {
  const { table, name } = backlogs[kind];
  const size = await sql<{ pages: number }>`
    select pg_relation_size(${name}::regclass)::float8
      / current_setting('block_size')::int as pages`.execute(trx);
  const percent = Math.min(100, (100 * sampledPages) / Math.max(1, size.rows[0]!.pages));
  const pages = sql`(select * from ${table} tablesample system (${sql.lit(percent)}))`;
  return see(trx, kind, pages, 100 / percent);
}

/** Looks at the items of `source`. */
async function see(trx: Trx, kind: BacklogKind, source: RawBuilder<unknown>, scale: number): Promise<Seen> {
  const of = backlogs[kind];
  const { rows } = await sql<Found & SeenRow>`
    with picked as materialized (
      select ${of.subject} as id, tenant_id, count(*) as count, count(*) filter (where ${of.isDue}) as due,
        min(due_at) filter (where ${of.isDue}) as due_at
      from ${source} d group by ${of.subject}, tenant_id
    ),
    due as materialized (
      select s.id, s.tenant_id, s.lane, d.due as count, ${ageOf(of.dueSince)} as oldest_ms
      from picked d join ${of.subjects} s on s.id = d.id where d.due > 0 and ${of.mayGo}
    )
    select (select coalesce(sum(count), 0)::float8 from picked) as count,
      (select json_object_agg(lane, count) from (select lane, sum(count) as count from due group by lane)) as due,
      (select json_agg(json_build_object('id', id, 'tenantId', tenant_id, 'count', count) order by count desc)
        from (select * from picked order by count desc limit ${sql.lit(named)})) as busy_subjects,
      (select json_agg(json_build_object('id', tenant_id, 'tenantId', tenant_id, 'count', count) order by count desc)
        from (select tenant_id, sum(count) as count from picked group by tenant_id
          order by count desc limit ${sql.lit(named)})) as busy_tenants,
      ${longestDue}`.execute(trx);
  const row = rows[0]!;
  return {
    count: row.count,
    scale,
    due: row.due ?? {},
    subjects: row.busy_subjects ?? [],
    tenants: row.busy_tenants ?? [],
    oldest: toOldest(row),
  };
}

interface SeenRow {
  count: number;
  due: Seen['due'] | null;
  busy_subjects: Named[] | null;
  busy_tenants: Named[] | null;
}

/**
 * The oldest due items of these accounts or webhooks, and of the next `atMost` that wait, in the order of their ids.
 * It reads a few index entries of each, so its cost does not depend on the number of items.
 */
export async function walkOldest(
  trx: Trx,
  kind: BacklogKind,
  { ids, after, atMost }: { ids: readonly string[]; after: string | null; atMost: number },
): Promise<Oldest & { readonly last: string | null }> {
  const of = backlogs[kind];
  const firstOfPart = (part: RawBuilder<boolean>): RawBuilder<unknown> =>
    sql`(select d.due_at from ${of.table} d where d.${of.subject} = s.id and ${part} and ${of.isDue}
          order by d.due_at limit 1)`;
  const { rows } = await sql<Found & { last: string | null }>`
    with recursive ${nextWaiting(of, after ?? lowestId, atMost)},
    due as materialized (
      select s.id, s.tenant_id, s.lane, ${ageOf(sql`min(${of.dueSince})`)} as oldest_ms
      from (select id from waiting union select unnest(${[...ids]}::uuid[])) w
      join ${of.subjects} s on s.id = w.id
      cross join lateral (${sql.join(of.parts.map(firstOfPart), sql` union all `)}) d
      where ${of.mayGo} group by s.id
    )
    select (select id from waiting where place = ${sql.lit(atMost)}) as last, ${longestDue}`.execute(trx);
  const row = rows[0]!;
  return { ...toOldest(row), last: row.last };
}

const lowestId = '00000000-0000-0000-0000-000000000000';

/** Accounts or webhooks for which something waits, found by a loose index scan, in SQL. At the end, an id is null. */
function nextWaiting({ table, subject }: Backlog, after: string, atMost: number): RawBuilder<unknown> {
  return sql`waiting as (
      (select ${subject} as id, 1 as place from ${table} where ${subject} > ${after}::uuid order by ${subject} limit 1)
      union all
      select (select d.${subject} from ${table} d where d.${subject} > w.id order by d.${subject} limit 1), w.place + 1
      from waiting w where w.id is not null and w.place < ${sql.lit(atMost)}
    )`;
}

/** Time since then, in ms, in SQL. */
function ageOf(since: RawBuilder<Date>): RawBuilder<number> {
  return sql`greatest(0, extract(epoch from now() - ${since})::float8 * 1000)`;
}

interface Found {
  lanes: Oldest['lanes'] | null;
  subjects: Slow[] | null;
  tenants: Slow[] | null;
  ids: string[] | null;
}

/** What `Oldest` has of the rows of `due`, in SQL. */
const longestDue = sql`
      (select json_object_agg(lane, json_build_object('oldestMs', ms, 'subjects', subjects))
        from (select lane, max(oldest_ms) as ms, count(*) as subjects from due group by lane)) as lanes,
      (select json_agg(json_build_object('id', id, 'tenantId', tenant_id, 'oldestMs', oldest_ms)
          order by oldest_ms desc)
        from (select * from due order by oldest_ms desc limit ${sql.lit(named)})) as subjects,
      (select json_agg(json_build_object('id', tenant_id, 'tenantId', tenant_id, 'oldestMs', ms) order by ms desc)
        from (select tenant_id, max(oldest_ms) as ms from due group by tenant_id
          order by ms desc limit ${sql.lit(named)})) as tenants,
      (select json_agg(id)
        from (select id, row_number() over (partition by lane order by oldest_ms desc) as place from due)
        where place <= ${sql.lit(kept)}) as ids`;

function toOldest({ lanes, subjects, tenants, ids }: Found): Oldest {
  return { lanes: lanes ?? {}, subjects: subjects ?? [], tenants: tenants ?? [], ids: ids ?? [] };
}

/** Named ones of a sample, as estimates; of an exact count if `scale` is 1. */
export function toBusy(names: readonly Named[], scale: number): Busy[] {
  return names.map(({ id, tenantId, count }) => ({
    id,
    tenantId,
    waiting: { count: Math.round(count * scale), isEstimate: scale !== 1 },
  }));
}
