import type { TemplateStatus } from '@notify/core';
import { sql } from 'kysely';
import type { Db } from '../connection/connect.ts';
import { text, unnestRows } from '../connection/rows.ts';
import { transact } from '../connection/transact.ts';

/** A status that a provider's callback tells. */
export interface ChangedStatus {
  readonly name: string;
  readonly language: string;
  readonly status: TemplateStatus;
  readonly reason: string | null;
}

/**
 * Changes the status of stored templates of an account. Of several changes to one template the last one counts. Returns
 * whether all of them were stored: if not, the account's templates should be synchronised.
 */
export async function applyTemplateChanges(
  db: Db,
  accountId: string,
  changes: readonly ChangedStatus[],
): Promise<boolean> {
  const last = [...new Map(changes.map((one) => [JSON.stringify([one.name, one.language]), one])).values()];
  const changed = unnestRows('c', last, {
    name: text((one) => one.name),
    language: text((one) => one.language),
    status: text((one) => one.status),
    reason: text((one) => one.reason),
  });
  return transact(db, async (trx, commit) => {
    // Locked first, as a synchronisation does. It keeps others from the account's templates.
    const forgotten = sql`
      update account_template_syncs set digest = null where account_id = ${accountId}::uuid`.execute(trx);
    const updated = sql<{ known: number }>`
      with changed as (
        update account_templates t set status = c.status, reason = c.reason, changed_at = now()
        from ${changed} where t.account_id = ${accountId}::uuid and t.name = c.name and t.language = c.language
        returning 1
      )
      select count(*)::int as known from changed`.execute(trx);
    const [, { rows }] = await commit(Promise.all([forgotten, updated]));
    return rows[0]?.known === last.length;
  });
}
