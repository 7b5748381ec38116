import { sql } from 'kysely';
import { fairlyDue, noShares, type TenantShares } from '../tenants/fair-order.ts';
import type { Db, Trx } from '../connection/connect.ts';

/** An account whose templates the holder of this claim reads from the provider. */
export interface SyncClaim {
  readonly accountId: string;
  readonly tenantId: string;
  readonly provider: string;
  /** Sealed. */
  readonly settings: string;
  readonly holder: string;
  readonly claimedAt: Date;
}

/**
 * Asks for a synchronisation of an account whose provider has templates. It is due now, but at the earliest `apartMs`
 * after the last one began, so any number of calls cause few of them. Creates the account's row if it has none. Does
 * nothing for a removed account.
 */
export async function askForSync(db: Db, accountId: string, apartMs: number): Promise<void> {
  const earliest = sql`greatest(now(), s.claimed_at + make_interval(secs => ${apartMs / 1000}::float8))`;
  // The lock keeps the account from being removed meanwhile, which would leave the row behind.
  await sql`
    insert into account_template_syncs as s (account_id, provider, asked_at)
    select id, provider, now() from channel_accounts where id = ${accountId}::uuid and deleted_at is null for share
    on conflict (account_id) do update set due_at = least(s.due_at, ${earliest}), asked_at = now()
    where s.due_at > ${earliest} or s.asked_at is null or s.asked_at <= s.claimed_at`.execute(db);
}

/**
 * Forgets when the templates of an account were read, because its settings have changed: what is stored may be another
 * account's, and refuses no send until it was read anew. That is due as `askForSync` says. A running synchronisation
 * stores nothing.
 */
export async function syncAnew(db: Db, accountId: string, apartMs: number): Promise<void> {
  await sql`
    update account_template_syncs set synced_at = null, digest = null, claimed_by = null, claimed_until = null
    where account_id = ${accountId}::uuid`.execute(db);
  await askForSync(db, accountId, apartMs);
}

/** Has the templates of a new account read soon. Its provider must have templates. */
export async function addSync(trx: Trx, accountId: string, provider: string): Promise<void> {
  await trx.insertInto('account_template_syncs').values({ account_id: accountId, provider }).execute();
}

/** Removes the templates of an account that is being removed. */
export async function removeTemplates(trx: Trx, accountId: string): Promise<void> {
  // A worker that is storing templates holds the first row, and stores nothing once it is gone.
  await trx.deleteFrom('account_template_syncs').where('account_id', '=', accountId).execute();
  await trx.deleteFrom('account_templates').where('account_id', '=', accountId).execute();
}

/** Adds the rows of accounts of these providers that have none, because an older version created them. */
export async function adoptAccounts(db: Db, providers: readonly string[], limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into account_template_syncs (account_id, provider)
    select a.id, a.provider from channel_accounts a
    where a.provider = any (${[...providers]}::text[]) and a.deleted_at is null
      and not exists (select from account_template_syncs s where s.account_id = a.id)
    limit ${limit} for share of a skip locked
    on conflict do nothing`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/**
 * Claims up to `limit` accounts of a provider that are due, in turns of tenants as `shares` says. Until `leaseMs` have passed or
 * the claim has ended, nobody else claims them.
 */
export async function claimSyncs(
  db: Db,
  provider: string,
  holder: string,
  { limit, leaseMs }: { readonly limit: number; readonly leaseMs: number },
  shares: TenantShares = noShares,
): Promise<SyncClaim[]> {
  const lease = sql`now() + make_interval(secs => ${leaseMs / 1000}::float8)`;
  const isDue = sql<boolean>`s.provider = ${provider} and s.due_at <= now()
        and (s.claimed_until is null or s.claimed_until <= now())`;
  const { rows } = await sql<SyncClaim>`
    with due as materialized (${fairlyDue('account_template_syncs', isDue, limit, shares)}
    ),
    -- An older version leaves the row of an account that it removes.
    gone as (
      delete from account_template_syncs s using due, channel_accounts a
      where s.account_id = due.account_id and a.id = due.account_id and a.deleted_at is not null
    )
    update account_template_syncs s
    set due_at = ${lease}, claimed_by = ${holder}::uuid, claimed_at = now(), claimed_until = ${lease}
    from due, channel_accounts a
    where s.account_id = due.account_id and a.id = due.account_id and a.deleted_at is null
    returning s.account_id as "accountId", a.tenant_id as "tenantId", s.provider, a.settings,
      s.claimed_by as holder, s.claimed_at as "claimedAt"`.execute(db);
  return rows;
}
