import type { VerificationStatus } from '@notify/core';
import { sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';
import { readInOrder } from '../connection/read-in-order.ts';
import { idRange, type Span, type Step, walkDown } from '../connection/walk-down.ts';
import { columns, status as shownStatus, type VerificationRow } from './find.ts';

/** The verifications of a tenant to search. An undefined field matches all. */
export interface VerificationFilter {
  readonly status?: VerificationStatus | undefined;
  /** Matches any of these keys of recipients. */
  readonly recipients?: readonly string[] | undefined;
  /** Started at this moment or later … */
  readonly from?: Date | undefined;
  /** … and before this one. */
  readonly until?: Date | undefined;
}

/** A search of a tenant's verifications, and how long it may take. */
export interface VerificationSearch {
  readonly tenantId: string;
  readonly filter: VerificationFilter;
  /** Only verifications older than the one of this id. */
  readonly before?: string | undefined;
  readonly limit: number;
  /** When to return the verifications found so far, in ms. One more step may be running then. */
  readonly budgetMs: number;
}

/** The verifications that a search has found so far, newest first. */
export interface VerificationPage {
  readonly verifications: readonly VerificationRow[];
  /** The value of `before` that continues the search. Null when no older verification is left. */
  readonly next: string | null;
}

/**
 * The matching verifications, newest first. Those of a recipient are read by the index that starts use: there are few, because starts
 * to one recipient are limited. Others are searched in steps, so without a recipient a page may be short or empty and still have a `next`.
 */
export async function searchVerifications(db: Db, search: VerificationSearch): Promise<VerificationPage> {
  const { ids, next } = await (search.filter.recipients === undefined ? walk : readAll)(db, search);
  return { verifications: await findAll(db, search.tenantId, ids), next };
}

async function readAll(db: Db, { tenantId, filter, before, limit }: VerificationSearch): Promise<Step> {
  const { rows } = await sql<{ id: string }>`
    with theirs as materialized (
      select id, ${fits(filter)} as fits from verifications
      where tenant_id = ${tenantId}::uuid and recipient = any (${[...filter.recipients!]}::text[])
    )
    select id from theirs where fits and coalesce(id < ${before ?? null}::uuid, true)
    order by id desc limit ${limit + 1}::int`.execute(db);
  const ids = rows.map(({ id }) => id);
  return { ids: ids.slice(0, limit), next: ids.length > limit ? ids[limit - 1]! : null };
}

function walk(db: Db, search: VerificationSearch): Promise<Step> {
  const { filter, limit, budgetMs } = search;
  const { from, before } = idRange(filter, search.before);
  return db.transaction().execute(async (trx) => {
    await readInOrder(trx);
    const isAny = filter.status === undefined;
    return walkDown({ before, limit, budgetMs, isAny }, (span) => look(trx, search, from, span));
  });
}

/** Looks at the next `rows` verifications of the tenant, by the index on both. */
async function look(
  trx: Trx,
  { tenantId, filter }: VerificationSearch,
  from: string,
  { before, rows, wanted }: Span,
): Promise<Step> {
  const { rows: found } = await sql<Step>`
    with looked_at as materialized (
      select id, ${fits(filter)} as fits from verifications
      where (tenant_id, id) < (${tenantId}::uuid, ${before}::uuid)
        and (tenant_id, id) >= (${tenantId}::uuid, ${from}::uuid)
      order by tenant_id desc, id desc limit ${rows}::int
    )
    select array(select id from looked_at where fits limit ${wanted}::int) as ids,
      (select id from looked_at offset ${rows}::int - 1) as next`.execute(trx);
  return found[0] ?? { ids: [], next: null };
}

function fits({ status, from, until }: VerificationFilter) {
  return sql<boolean>`(coalesce(${shownStatus} = ${status ?? null}::text, true)
        and coalesce(created_at >= ${from ?? null}::timestamptz, true)
        and coalesce(created_at < ${until ?? null}::timestamptz, true))`;
}

async function findAll(db: Db, tenantId: string, ids: readonly string[]): Promise<VerificationRow[]> {
  if (ids.length === 0) return [];
  const { rows } = await sql<VerificationRow>`
    select ${columns} from verifications
    where tenant_id = ${tenantId}::uuid and id = any (${ids}::uuid[]) order by id desc`.execute(db);
  return rows;
}
