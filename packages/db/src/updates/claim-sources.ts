import type { Channel } from '@notify/core';
import { type RawBuilder, sql } from 'kysely';
import { fairlyDue, noShares, type TenantShares } from '../tenants/fair-order.ts';
import type { Db } from '../connection/connect.ts';

/** How updates of an account arrive: posted to us, read by us, or not at all. */
export type UpdateMode = 'webhook' | 'poll' | 'off';

/** An account about whose updates only the holder of this claim asks the provider. */
export interface UpdateClaim {
  readonly accountId: string;
  readonly tenantId: string;
  readonly channel: Channel;
  readonly provider: string;
  /** Sealed. */
  readonly settings: string;
  /** The account was removed. Its updates should end, and the claim with `forgetSource`. */
  readonly isRemoved: boolean;
  readonly holder: string;
  /** What was decided last; null if nothing was. */
  readonly mode: UpdateMode | null;
  /** The public URL that updates are posted to, without the account's part. */
  readonly url: string | null;
  /** Why nothing arrives, or what the provider complains about. Null without trouble. */
  readonly detail: string | null;
  /** The number from which to read on; null reads from the first update that the provider still keeps. */
  readonly next: string | null;
}

/** Adds the rows of accounts of these providers that have none, because an older version created them. */
export async function adoptSources(db: Db, providers: readonly string[], limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    insert into update_sources (account_id, provider)
    select a.id, a.provider from channel_accounts a
    where a.provider = any (${[...providers]}::text[]) and a.deleted_at is null
      and not exists (select from update_sources s where s.account_id = a.id)
    limit ${limit} for share of a skip locked
    on conflict do nothing`.execute(db);
  return Number(numAffectedRows ?? 0);
}

/**
 * Makes an account due now, because it is new, has new settings or was removed. A running claim ends: its holder stores
 * nothing more. The next number is forgotten, because the account may be another one at the provider.
 */
export async function makeSourceDue(db: Db, accountId: string): Promise<void> {
  await sql`
    insert into update_sources as s (account_id, provider)
    select a.id, a.provider from channel_accounts a
    where a.id = ${accountId}::uuid
      and (a.deleted_at is null or exists (select from update_sources t where t.account_id = a.id))
    for share of a
    on conflict (account_id) do update
    set due_at = now(), holder = null, leased_until = null, next_update = null, detail = null`.execute(db);
}

/** Makes the accounts due whose updates are posted to another public URL than `url`; null if there is none any more. */
export async function makeSourcesOfOtherUrlDue(db: Db, provider: string, url: string | null): Promise<void> {
  await sql`
    update update_sources set due_at = now()
    where provider = ${provider} and mode = 'webhook' and url is distinct from ${url}
      and (leased_until is null or leased_until <= now())`.execute(db);
}

/**
 * Claims up to `limit` accounts of a provider that are due, in turns of tenants as `shares` says. Until `leaseMs` have passed,
 * nobody else claims them; `renewClaim` prolongs that.
 */
export async function claimSources(
  db: Db,
  provider: string,
  holder: string,
  { limit, leaseMs }: { readonly limit: number; readonly leaseMs: number },
  shares: TenantShares = noShares,
): Promise<UpdateClaim[]> {
  const { rows } = await sql<UpdateClaim>`
    with due as materialized (${fairlyDue('update_sources', isDue(provider), limit, shares)}
    )
    update update_sources s
    set due_at = ${until(leaseMs)}, holder = ${holder}::uuid, leased_until = ${until(leaseMs)}
    from due, channel_accounts a
    where s.account_id = due.account_id and a.id = due.account_id
    returning s.account_id as "accountId", a.tenant_id as "tenantId", a.channel, s.provider, a.settings,
      a.deleted_at is not null as "isRemoved", s.holder, s.mode, s.url, s.detail, s.next_update as next`.execute(
    db,
  );
  return rows;
}

/** The tenants with accounts of a provider that wait for a claim. */
export async function tenantsOfDueSources(db: Db, provider: string): Promise<Set<string>> {
  const { rows } = await sql<{ tenantId: string }>`
    select distinct a.tenant_id as "tenantId" from update_sources s join channel_accounts a on a.id = s.account_id
    where ${isDue(provider)}`.execute(db);
  return new Set(rows.map(({ tenantId }) => tenantId));
}

/**
 * Prolongs a claim by `leaseMs` from now. False if it is over: its time has passed, the account was made due, or the
 * account was removed or has other settings.
 */
export async function renewClaim(
  db: Db,
  { accountId, holder, settings, isRemoved }: UpdateClaim,
  leaseMs: number,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update update_sources s set due_at = ${until(leaseMs)}, leased_until = ${until(leaseMs)}
    from channel_accounts a
    where s.account_id = ${accountId}::uuid and s.holder = ${holder}::uuid and s.leased_until > now()
      and a.id = s.account_id and a.settings = ${settings}
      and (a.deleted_at is not null) = ${isRemoved}`.execute(db);
  return numAffectedRows === 1n;
}

/** What is known at the end of a claim. */
export interface Release {
  readonly mode: UpdateMode | null;
  readonly url: string | null;
  readonly detail: string | null;
  /** When somebody should look again, in ms from now. */
  readonly afterMs: number;
}

/** Ends a claim. Does nothing if somebody else holds it by now. */
export async function releaseSource(
  db: Db,
  { accountId, holder }: UpdateClaim,
  { mode, url, detail, afterMs }: Release,
): Promise<void> {
  await sql`
    update update_sources
    set mode = ${mode}, url = ${url}, detail = ${detail}, due_at = ${until(afterMs)}, holder = null, leased_until = null
    where account_id = ${accountId}::uuid and holder = ${holder}::uuid`.execute(db);
}

/** Notes during a claim that updates are read, and what is wrong with that. */
export async function noteSource(
  db: Db,
  { accountId, holder }: UpdateClaim,
  detail: string | null,
): Promise<void> {
  await sql`
    update update_sources set mode = 'poll', url = null, detail = ${detail}
    where account_id = ${accountId}::uuid and holder = ${holder}::uuid`.execute(db);
}

/** Ends the claim of a removed account. */
export async function forgetSource(db: Db, { accountId, holder }: UpdateClaim): Promise<void> {
  await sql`
    delete from update_sources where account_id = ${accountId}::uuid and holder = ${holder}::uuid`.execute(
    db,
  );
}

function isDue(provider: string): RawBuilder<boolean> {
  return sql`s.provider = ${provider} and s.due_at <= now() and (s.leased_until is null or s.leased_until <= now())`;
}

function until(ms: number): RawBuilder<Date> {
  return sql`now() + make_interval(secs => ${ms / 1000}::float8)`;
}
