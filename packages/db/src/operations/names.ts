import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';

/** What an operator calls these things, and the database's time at which they were read. */
export interface Names {
  readonly now: Date;
  /** By id: a tenant's name, an account's name and provider, a webhook's URL without its query. Leaves out what is gone. */
  readonly byId: ReadonlyMap<string, string>;
}

/** The names of a few tenants, accounts and webhooks. Their kind does not matter, because ids are unique. */
export async function readNames(db: Db, ids: readonly string[]): Promise<Names> {
  const { rows } = await sql<{ now: Date; names: Record<string, string> | null }>`
    select now() as now, (
      select json_object_agg(id, name) from (
        select id, name from tenants where id = any (${ids}::uuid[])
        union all
        select id, name || ' (' || provider || ')' from channel_accounts where id = any (${ids}::uuid[])
        union all
        select id, coalesce(nullif(trim(description), ''), split_part(url, '?', 1)) from webhooks where id = any (${ids}::uuid[])
      ) named
    ) as names`.execute(db);
  const { now, names } = rows[0]!;
  return { now, byId: new Map(Object.entries(names ?? {})) };
}
