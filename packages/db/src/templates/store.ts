import { hash } from 'node:crypto';
import type { Template } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';
import { text, unnestRows } from '../connection/rows.ts';
import type { TemplateShape } from '../schema/template-tables.ts';
import type { SyncClaim } from './due.ts';

/** Rows written by one statement, which keeps it short. */
const rowsAtOnce = 500;
/** Time between two synchronisations of an account, in SQL. */
const period = sql`interval '15 minutes'`;

/**
 * Stores the templates that the holder of the claim has read, in place of those stored before, and ends the claim. A
 * status that a callback has changed since the claim stays. Returns false, and changes nothing, if the claim is no longer
 * the holder's: somebody else has taken it over, or the account was removed.
 */
export async function storeTemplates(
  db: Db,
  claim: SyncClaim,
  templates: readonly Template[],
): Promise<boolean> {
  const digest = digestOf(templates);
  return db.transaction().execute(async (trx) => {
    const before = await endClaim(trx, claim, {
      set: sql`synced_at = now(), failed_at = null, failure = null, digest = ${digest}::bytea`,
    });
    if (before === null) return false;
    if (before.digest?.equals(digest) === true) return true;
    await removeOthers(trx, claim.accountId, templates);
    for (let from = 0; from < templates.length; from += rowsAtOnce)
      await upsert(trx, claim, templates.slice(from, from + rowsAtOnce));
    await forgetDigest(trx, claim);
    return true;
  });
}

/** If a status was kept that is newer than the list, the next list is stored even if it is the same. */
async function forgetDigest(trx: Trx, { accountId, claimedAt }: SyncClaim): Promise<void> {
  await sql`
    update account_template_syncs set digest = null
    where account_id = ${accountId}::uuid and exists (
      select from account_templates where account_id = ${accountId}::uuid and changed_at > ${claimedAt}
    )`.execute(trx);
}

/** Notes why the templates could not be read, and ends the claim. The stored templates stay. */
export async function failSync(db: Db, claim: SyncClaim, failure: string): Promise<void> {
  await endClaim(db, claim, { set: sql`failed_at = now(), failure = ${failure}` });
}

/** The row before the end of the claim. Null if the claim is no longer the holder's. */
async function endClaim(
  db: Db | Trx,
  { accountId, holder }: SyncClaim,
  { set }: { readonly set: RawBuilder<unknown> },
): Promise<{ readonly digest: Buffer | null } | null> {
  // Somebody may have asked again after the list was read. Then the account is due when they want it.
  const { rows } = await sql<{ digest: Buffer | null }>`
    update account_template_syncs s
    set ${set}, claimed_by = null, claimed_until = null,
      due_at = case when s.asked_at > s.claimed_at then s.due_at else now() + ${period} end
    from (
      select account_id, digest from account_template_syncs
      where account_id = ${accountId}::uuid and claimed_by = ${holder}::uuid for update
    ) before
    where s.account_id = before.account_id
    returning before.digest`.execute(db);
  return rows[0] ?? null;
}

/** SHA-256 of the templates, in their order. */
function digestOf(templates: readonly Template[]): Buffer {
  return hash('sha256', JSON.stringify(templates), 'buffer');
}

async function removeOthers(trx: Trx, accountId: string, templates: readonly Template[]): Promise<void> {
  const kept = unnestRows('k', templates, {
    name: text((one) => one.name),
    language: text((one) => one.language),
  });
  await sql`
    delete from account_templates t where t.account_id = ${accountId}::uuid
      and (t.name, t.language) not in (select k.name, k.language from ${kept})`.execute(trx);
}

async function upsert(
  trx: Trx,
  { accountId, claimedAt }: SyncClaim,
  templates: readonly Template[],
): Promise<void> {
  const listed = unnestRows('l', templates, {
    name: text((one) => one.name),
    language: text((one) => one.language),
    status: text((one) => one.status),
    reason: text((one) => one.reason),
    content: text(contentOf),
  });
  await sql`
    insert into account_templates as t (account_id, name, language, status, reason, content)
    select ${accountId}::uuid, l.name, l.language, l.status, l.reason, l.content::json from ${listed}
    order by l.name, l.language
    on conflict (account_id, name, language) do update set
      status = case when t.changed_at > ${claimedAt} then t.status else excluded.status end,
      reason = case when t.changed_at > ${claimedAt} then t.reason else excluded.reason end,
      content = excluded.content
    where (t.status, t.reason, t.content::text)
      is distinct from (excluded.status, excluded.reason, excluded.content::text)`.execute(trx);
}

/** The part that only a synchronisation changes. */
function contentOf({ label, category, named, header, body, footer, buttons }: Template): string {
  const shape: TemplateShape = { label, category, named, header, body, footer, buttons };
  return JSON.stringify(shape);
}
