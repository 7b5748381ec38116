import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { bool, unnestRows, uuid } from '../connection/rows.ts';
import { type Bearer, isUsableBearer } from '../tenants/bearers.ts';

/** A session or a service token that watches the linking of an account. */
export interface LinkWatcher extends Bearer {
  readonly accountId: string;
}

/**
 * The present version of each watcher's link, in the order of the watchers: a text that changes whenever the answer of
 * `findLink` would, also when the code shown expires. Null when the account is removed, its session or token has
 * ended, or the tenant is blocked. Uses one statement for any number of watchers.
 */
export async function watchLinks(db: Db, watchers: readonly LinkWatcher[]): Promise<(string | null)[]> {
  const watching = unnestRows(
    'w',
    watchers,
    {
      tenant_id: uuid((watcher) => watcher.tenantId),
      bearer_id: uuid((watcher) => watcher.bearerId),
      is_token: bool((watcher) => watcher.isToken),
      account_id: uuid((watcher) => watcher.accountId),
    },
    'place',
  );
  const { rows } = await sql<{ state: string | null }>`
    select case when l.shown_until > now() then l.version || ' shown' else l.version::text end as state
    from ${watching}
    left join channel_accounts a on a.id = w.account_id and a.tenant_id = w.tenant_id and a.deleted_at is null
      and ${isUsableBearer(sql`w.tenant_id`, sql`w.bearer_id`, sql`w.is_token`)}
    left join whatsapp_links l on l.account_id = a.id
    order by w.place`.execute(db);
  return rows.map((row) => row.state);
}
