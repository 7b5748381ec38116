import type { Channel } from '@notify/core';
import type { Selectable } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';
import type { Database } from '../schema/tables.ts';
import { lockTenant } from '../tenants/tenant-lock.ts';

/** The provider whose accounts send nothing. */
export const sandboxProvider = 'sandbox';

type Row = Pick<
  Selectable<Database['channel_accounts']>,
  'id' | 'tenant_id' | 'channel' | 'provider' | 'is_default' | 'status' | 'last_connected_at'
>;

/**
 * Whether the account works, or did before it broke. False if its settings were refused from the start or never passed a check, and
 * for a phone that was never linked. An account that an earlier version connected unchecked is `connected`, so it counts.
 */
export function isUsable({
  status,
  last_connected_at: connectedAt,
}: Pick<Row, 'status' | 'last_connected_at'>): boolean {
  return connectedAt !== null || (status !== 'action-required' && status !== 'connecting');
}

/**
 * Whether an account that becomes usable takes the default of its channel: if there is none, or if it is the channel's
 * first real account. `siblings` are the other accounts of the channel.
 */
export function takesDefault(provider: string, siblings: readonly Row[]): boolean {
  if (!siblings.some((sibling) => sibling.is_default)) return true;
  const others = siblings.filter((sibling) => sibling.provider !== sandboxProvider);
  return provider !== sandboxProvider && !others.some((sibling) => sibling.is_default || isUsable(sibling));
}

/**
 * Makes an account the default if it has just become usable and takes the default. Returns whether it did. The caller
 * holds the tenant's lock.
 */
export async function takeDefault(trx: Trx, before: Row, after: Row): Promise<boolean> {
  if (after.is_default || isUsable(before) || !isUsable(after)) return false;
  return appointIfItTakes(trx, after);
}

/**
 * The same for an account whose check by the provider has just passed. If the account was usable before, it takes the default only where
 * the channel has none: it may have missed it. A default that is there may have been chosen, a sandbox too, and stays.
 */
export async function takeDefaultOnCheck(trx: Trx, before: Row, after: Row): Promise<boolean> {
  if (await takeDefault(trx, before, after)) return true;
  if (after.is_default || !isUsable(after)) return false;
  const accounts = await rowsOf(trx, after.tenant_id, after.channel);
  return !accounts.some((account) => account.is_default) && appointIfItTakes(trx, after);
}

/**
 * Makes an account the default after its first accepted message, if it takes the default as a new one that works does.
 * Does nothing if it is the default, or gone.
 */
export async function takeDefaultOnSuccess(db: Db, accountId: string): Promise<void> {
  const account = await findRow(db, accountId);
  if (account === undefined || account.is_default) return;
  await takeUnderLock(db, account);
}

/**
 * Makes a linked device the default when its phone is linked for the first time and it takes the default. Call it
 * before the tenant learns that the phone is linked, so that the next send leaves from there.
 */
export async function takeDefaultOnLink(db: Db, accountId: string): Promise<void> {
  const account = await findRow(db, accountId);
  if (account === undefined || account.is_default || isUsable(account)) return;
  await takeUnderLock(db, account);
}

async function takeUnderLock(db: Db, { id, tenant_id: tenantId }: Row): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockTenant(trx, tenantId);
    const now = await findRow(trx, id);
    if (now !== undefined && !now.is_default) await appointIfItTakes(trx, now);
  });
}

/** Makes the oldest account that works the default of a channel that has none: a real one, else a sandbox. */
export async function appointDefault(trx: Trx, tenantId: string, channel: Channel): Promise<void> {
  const rows = await rowsOf(trx, tenantId, channel);
  const usable = rows.filter(isUsable);
  const heir = usable.find(({ provider }) => provider !== sandboxProvider) ?? usable[0];
  if (heir !== undefined) await setDefault(trx, heir.id);
}

/** Leaves the channel without a default. */
export async function clearDefault(
  trx: Trx,
  of: { readonly tenantId: string; readonly channel: Channel },
): Promise<void> {
  await trx
    .updateTable('channel_accounts')
    .set({ is_default: false })
    .where('tenant_id', '=', of.tenantId)
    .where('channel', '=', of.channel)
    .where('is_default', '=', true)
    .execute();
}

async function appointIfItTakes(trx: Trx, account: Row): Promise<boolean> {
  const { id, tenant_id: tenantId, channel, provider } = account;
  const siblings = (await rowsOf(trx, tenantId, channel)).filter((row) => row.id !== id);
  if (!takesDefault(provider, siblings)) return false;
  await clearDefault(trx, { tenantId, channel });
  await setDefault(trx, id);
  return true;
}

async function setDefault(trx: Trx, accountId: string): Promise<void> {
  await trx
    .updateTable('channel_accounts')
    .set({ is_default: true })
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .execute();
}

const columns = [
  'id',
  'tenant_id',
  'channel',
  'provider',
  'is_default',
  'status',
  'last_connected_at',
] as const;

/** The accounts of a channel, oldest first. */
function rowsOf(trx: Trx, tenantId: string, channel: Channel): Promise<Row[]> {
  return trx
    .selectFrom('channel_accounts')
    .select(columns)
    .where('tenant_id', '=', tenantId)
    .where('channel', '=', channel)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .execute();
}

function findRow(db: Db | Trx, accountId: string): Promise<Row | undefined> {
  return db
    .selectFrom('channel_accounts')
    .select(columns)
    .where('id', '=', accountId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
}
