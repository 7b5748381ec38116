import type { GroupStatus } from '@notify/core';
import { sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';
import { readInOrder } from '../connection/read-in-order.ts';
import { idRange, type Span, type Step, walkDown } from '../connection/walk-down.ts';
import { type AddressAt, isOneOf } from '../messages/filter.ts';
import { findListedGroups, type ListedGroupRow } from './look-up.ts';

/** The groups of a tenant to search. An undefined field matches all. */
export interface GroupFilter {
  readonly status?: GroupStatus | undefined;
  /** Matches a group with a route to any of these. Usernames of Telegram in small letters. */
  readonly recipients?: readonly string[] | undefined;
  /** With `recipients`: matches these, too. */
  readonly knownRecipients?: readonly AddressAt[] | undefined;
  /** Accepted at this moment or later … */
  readonly from?: Date | undefined;
  /** … and before this one. */
  readonly until?: Date | undefined;
}

/** A search of a tenant's groups, and how long it may take. */
export interface GroupSearch {
  readonly tenantId: string;
  readonly filter: GroupFilter;
  /** Only groups older than the one of this id. */
  readonly before?: string | undefined;
  readonly limit: number;
  /** When to return the groups found so far, in ms. One more step may be running then. */
  readonly budgetMs: number;
}

/** The groups that a search has found so far, newest first. */
export interface GroupPage {
  readonly groups: readonly ListedGroupRow[];
  /** The value of `before` that continues the search. Null when no older group is left. */
  readonly next: string | null;
}

/**
 * The matching groups that were sent as such, newest first: those of verifications are left out. As with messages, an index per filter
 * would make every send dearer, so a page may be short or empty and still have a `next`.
 */
export async function searchGroups(db: Db, search: GroupSearch): Promise<GroupPage> {
  const { tenantId, filter, limit, budgetMs } = search;
  const { ids, next } = await db.transaction().execute(async (trx) => {
    await readInOrder(trx);
    const { from, before } = idRange(filter, search.before);
    const isAny = filter.status === undefined && filter.recipients === undefined;
    return walkDown({ before, limit, budgetMs, isAny }, (span) => look(trx, search, from, span));
  });
  return { groups: await findListedGroups(db, tenantId, ids), next };
}

/** Looks at the next `rows` groups of the tenant, by the index on tenant, kind and id. */
async function look(
  trx: Trx,
  { tenantId, filter: { status, recipients, knownRecipients, from: since, until } }: GroupSearch,
  from: string,
  { before, rows, wanted }: Span,
): Promise<Step> {
  const isTo = isOneOf(sql`(route ->> 'to')`, sql`(route ->> 'accountId')`, recipients, knownRecipients);
  const fits = sql`(coalesce(status = ${status ?? null}::text, true)
        and coalesce(created_at >= ${since ?? null}::timestamptz, true)
        and coalesce(created_at < ${until ?? null}::timestamptz, true)
        and ${recipients === undefined ? sql`true` : sql`exists (select from json_array_elements(routes) stored (route) where ${isTo})`})`;
  const { rows: found } = await sql<Step>`
    with looked_at as materialized (
      select id, ${fits} as fits from message_groups
      where (tenant_id, quiet, id) < (${tenantId}::uuid, false, ${before}::uuid)
        and (tenant_id, quiet, id) >= (${tenantId}::uuid, false, ${from}::uuid)
      order by tenant_id desc, quiet desc, id desc limit ${rows}::int
    )
    select array(select id from looked_at where fits limit ${wanted}::int) as ids,
      (select id from looked_at offset ${rows}::int - 1) as next`.execute(trx);
  return found[0] ?? { ids: [], next: null };
}
