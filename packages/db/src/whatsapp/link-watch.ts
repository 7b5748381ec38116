import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { unnestRows, uuid } from '../connection/rows.ts';

/** A session of a tenant that watches the linking of an account. */
export interface LinkWatcher {
  readonly tenantId: string;
  readonly sessionId: string;
  readonly accountId: string;
}

/**
 * The present version of each watcher's link, in the order of the watchers: a text that changes whenever the answer of
 * `findLink` would, also when the code shown expires. Null when the account is removed, the session has ended, or the
 * tenant is blocked. Uses one statement for any number of watchers.
 */
export async function watchLinks(db: Db, watchers: readonly LinkWatcher[]): Promise<(string | null)[]> {
  const watching = unnestRows(
    'w',
    watchers,
    {
      tenant_id: uuid((watcher) => watcher.tenantId),
      session_id: uuid((watcher) => watcher.sessionId),
      account_id: uuid((watcher) => watcher.accountId),
    },
    'place',
  );
  const { rows } = await sql<{ state: string | null }>`
    select case when l.shown_until > now() then l.version || ' shown' else l.version::text end as state
    from ${watching}
    left join (
      sessions s join tenants t on t.id = s.tenant_id and t.blocked_at is null
    ) on s.id = w.session_id and s.tenant_id = w.tenant_id and s.revoked_at is null and s.expires_at > now()
    left join channel_accounts a on a.id = w.account_id and a.tenant_id = w.tenant_id and a.deleted_at is null
      and s.id is not null
    left join whatsapp_links l on l.account_id = a.id
    order by w.place`.execute(db);
  return rows.map((row) => row.state);
}
