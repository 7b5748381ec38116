import type { Template } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { toTemplate, type StoredTemplate } from './stored.ts';

/** The template after which a page begins. */
export type TemplateCursor = Pick<Template, 'name' | 'language'>;

/** Up to `limit` stored templates of an account, ordered by name and language. */
export async function listTemplates(
  db: Db,
  accountId: string,
  { after, limit }: { readonly after: TemplateCursor | null; readonly limit: number },
): Promise<Template[]> {
  const { rows } = await sql<StoredTemplate>`
    select name, language, status, reason, content from account_templates
    where account_id = ${accountId}::uuid
      and (${after === null}::bool or (name, language) > (${after?.name ?? ''}, ${after?.language ?? ''}))
    order by name, language limit ${limit}`.execute(db);
  return rows.map(toTemplate);
}

/** When an account's templates were read from the provider, and how that ended. */
export interface SyncState {
  /** The last success. */
  readonly syncedAt: Date | null;
  /** The failure of the last one, if it failed. */
  readonly failedAt: Date | null;
  readonly failure: string | null;
  /** Whether one is running or due. */
  readonly pending: boolean;
}

/** Null if nobody has asked for one yet. */
export async function readSyncState(db: Db, accountId: string): Promise<SyncState | null> {
  const { rows } = await sql<SyncState>`
    select synced_at as "syncedAt", failed_at as "failedAt", failure,
      coalesce(claimed_until > now(), false) or due_at <= now()
        or coalesce(asked_at > claimed_at, asked_at is not null) as pending
    from account_template_syncs where account_id = ${accountId}::uuid`.execute(db);
  return rows[0] ?? null;
}
