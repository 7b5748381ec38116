import { type RawBuilder, sql } from 'kysely';
import type { Statements } from '../connection/transact.ts';
import { isUsable } from './upload.ts';

/**
 * Locks those of these files that can be used, in SQL, in the order of their ids. A lock ends with the transaction. It keeps the sweep
 * from taking the file, and `useUploads` makes that last.
 */
export function lockedUploads(ids: readonly (string | null)[]): RawBuilder<unknown> {
  return sql`select id, tenant_id from uploads where id = any (${ids}::uuid[]) and ${isUsable}
      order by id for no key update`;
}

/** Keeps files for what is accepted in the same transaction. */
export async function lockUploads(
  trx: Statements,
  tenantId: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await sql<{ id: string; tenant_id: string }>`${lockedUploads(ids)}`.execute(trx);
  return new Set(rows.filter((row) => row.tenant_id === tenantId).map(({ id }) => id));
}

/**
 * Notes that the messages of `made` (the accept statement) wait for their files, in SQL, with a comma after it. `upload`: the id of a
 * message's file, null without one. The statement has locked the files.
 */
export const keptUploads = (upload: RawBuilder<unknown>): RawBuilder<unknown> => sql`using_files as (
      select ${upload} as upload_id, new_id from made where outcome = 'accepted'
    ),
    used_files as (
      insert into upload_uses (upload_id, message_id)
      select upload_id, new_id from using_files where upload_id is not null
    ),
    kept_files as (
      update uploads set expires_at = null
      where id in (select upload_id from using_files) and expires_at is not null
    ),
    `;

/** Notes that a group waits for files which the transaction has locked. */
export async function useUploads(
  trx: Statements,
  ids: readonly string[],
  { groupId }: { readonly groupId: string },
): Promise<void> {
  await sql`
    with used as (
      insert into upload_uses (upload_id, group_id) select distinct id, ${groupId}::uuid from unnest(${ids}::uuid[]) id
    )
    update uploads set expires_at = null where id = any (${ids}::uuid[]) and expires_at is not null`.execute(
    trx,
  );
}

/** Whether what uses a file (a row `use` of `upload_uses`) still waits for it, in SQL. */
export const stillWaits: RawBuilder<boolean> = sql<boolean>`(
      use.message_id is not null and message_waits(use.message_id)
      or use.group_id is not null and exists (select from message_groups g where g.id = use.group_id and g.ended_at is null)
    )`;
