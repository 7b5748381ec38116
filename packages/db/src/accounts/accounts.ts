import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { type Channel, channels, type Lane } from '@notify/core';
import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';
import type { Database } from '../schema/tables.ts';
import { lockTenant } from '../tenants/tenant-lock.ts';
import { insertLink, unlinked, whatsappWeb } from './linked-devices.ts';

/** A channel account that is not removed; its settings are sealed. */
export type AccountRow = Selectable<Database['channel_accounts']> & {
  /** A linked device sends no first messages to new contacts before this time. Null without such a restriction. */
  readonly restricted_until: Date | null;
};

/** The content of `channel_accounts.settings` before it is sealed. */
export interface SealedAccount {
  readonly settings: unknown;
  /** The last part of the account's callback URL. */
  readonly callbackSecret: string;
}

/** The place that an account's settings are sealed for. The runtime's `Place` fits. */
export interface SettingsPlace {
  readonly tenantId: string;
  readonly table: 'channel_accounts';
  readonly row: string;
  readonly column: 'settings';
}

/** The part of sealing that this file needs; the runtime's `Secrets` fits. */
export interface Sealer {
  seal(plain: string, place: SettingsPlace): string;
}

export interface NewAccount {
  readonly id: string;
  readonly tenantId: string;
  readonly channel: Channel;
  readonly provider: string;
  readonly name: string;
  /** Sealed. */
  readonly settings: string;
  /** The most messages per second. Null sets no limit of ours. */
  readonly perSecond: number | null;
  readonly isDefault: boolean;
}

const sandboxProvider = 'sandbox';

/** The place that an account's settings are sealed for. */
export function settingsPlace(tenantId: string, accountId: string): SettingsPlace {
  return { tenantId, table: 'channel_accounts', row: accountId, column: 'settings' };
}

/** The last part of a callback URL: 192 random bits. */
export function newCallbackSecret(): string {
  return randomBytes(24).toString('base64url');
}

/** The accounts of a tenant, oldest first. */
export function listAccounts(db: Db, tenantId: string): Promise<AccountRow[]> {
  return present(db, tenantId).orderBy('id').execute();
}

/** One account, or null when the tenant has no account of that id. */
export async function findAccount(db: Db, tenantId: string, id: string): Promise<AccountRow | null> {
  return (await present(db, tenantId).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** The account that a callback names. */
export interface CallbackAddress {
  readonly provider: string;
  readonly accountId: string;
}

/** The columns of an account that a callback needs. */
export type CallbackAccount = Pick<AccountRow, 'id' | 'tenant_id' | 'provider' | 'settings'>;

/**
 * The accounts that callbacks name, of any tenant, in the order of `addresses`. Null when the provider has no account
 * of that id. The caller must authenticate each callback.
 */
export async function findCallbackAccounts(
  db: Db,
  addresses: readonly CallbackAddress[],
): Promise<(CallbackAccount | null)[]> {
  const ids = [...new Set(addresses.map((address) => address.accountId))];
  const { rows } = await sql<CallbackAccount>`
    select id, tenant_id, provider, settings from channel_accounts
    where id = any (${ids}::uuid[]) and deleted_at is null`.execute(db);
  const byId = new Map(rows.map((row) => [row.id, row]));
  return addresses.map(({ provider, accountId }) => {
    const row = byId.get(accountId);
    return row?.provider === provider ? row : null;
  });
}

/**
 * Stores an account. Returns null when the tenant already has `limit` accounts; concurrent calls keep to the limit too.
 * The account becomes the default of its channel if it asks to, if it is the channel's first account, or if it is the
 * channel's first real account (it then replaces the sandbox).
 */
export function createAccount(db: Db, account: NewAccount, limit: number): Promise<AccountRow | null> {
  return db.transaction().execute(async (trx) => {
    await lockTenant(trx, account.tenantId);
    const others = await present(trx, account.tenantId).execute();
    if (others.length >= limit) return null;
    const siblings = others.filter((other) => other.channel === account.channel);
    const isDefault = account.isDefault || isFirst(account, siblings);
    if (isDefault) await clearDefault(trx, account);
    return insertAccount(trx, { ...account, isDefault });
  });
}

function isFirst(account: NewAccount, siblings: readonly AccountRow[]): boolean {
  if (account.provider === sandboxProvider) return siblings.length === 0;
  return !siblings.some((sibling) => sibling.provider !== sandboxProvider);
}

/** Gives a new tenant a sandbox account on every channel. It is the default until the tenant adds a real account. */
export async function createSandboxAccounts(trx: Trx, sealer: Sealer, tenantId: string): Promise<void> {
  for (const channel of channels) {
    const id = randomUUIDv7();
    const sealed: SealedAccount = { settings: { channel }, callbackSecret: newCallbackSecret() };
    const settings = sealer.seal(JSON.stringify(sealed), settingsPlace(tenantId, id));
    const account = {
      id,
      tenantId,
      channel,
      provider: sandboxProvider,
      name: 'Sandbox',
      settings,
      perSecond: null,
    };
    await insertAccount(trx, { ...account, isDefault: true });
  }
}

/** The fields that a change may set. Setting `settings` (sealed) also ends any pause of the account. */
export interface AccountChange {
  readonly name?: string;
  readonly settings?: { readonly sealed: string; readonly perSecond: number | null };
  readonly isDefault?: true;
}

/**
 * Changes an account. `change` receives the locked account and returns the fields to write. If `change` throws, nothing
 * is written. Returns null when the tenant has no account of that id.
 */
export function changeAccount(
  db: Db,
  tenantId: string,
  id: string,
  change: (account: AccountRow) => AccountChange,
): Promise<AccountRow | null> {
  return db.transaction().execute(async (trx) => {
    await lockTenant(trx, tenantId);
    const account = await present(trx, tenantId).where('id', '=', id).forNoKeyUpdate().executeTakeFirst();
    if (account === undefined) return null;
    const { name, settings, isDefault } = change(account);
    if (isDefault && !account.is_default) await clearDefault(trx, { tenantId, channel: account.channel });
    const changed = await trx
      .updateTable('channel_accounts')
      .set({
        name: name ?? account.name,
        ...(isDefault ? { is_default: true } : {}),
        ...(settings === undefined
          ? {}
          : { settings: settings.sealed, per_second: settings.perSecond, ...workingAgain(account) }),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    return { ...changed, restricted_until: account.restricted_until };
  });
}

/**
 * Records that the provider accepted the account's settings. Does nothing if the settings have changed since `account`
 * was read. Does nothing for a linked device either, because the process that holds the device writes its state.
 */
export async function markVerified(
  db: Db,
  account: Pick<AccountRow, 'id' | 'tenant_id' | 'provider' | 'settings'>,
): Promise<void> {
  if (account.provider === whatsappWeb) return;
  await db
    .updateTable('channel_accounts')
    .set({ ...working, last_connected_at: sql`now()` })
    .where('id', '=', account.id)
    .where('tenant_id', '=', account.tenant_id)
    .where('settings', '=', account.settings)
    .where('deleted_at', 'is', null)
    .execute();
}

/**
 * Removes an account: sends stop using it at once, and its waiting messages fail in its next turn. If it was the
 * default, the oldest real account of the channel becomes the default, else the oldest sandbox. Returns the lane of
 * that turn, or null when the tenant has no account of that id.
 */
export function deleteAccount(db: Db, tenantId: string, id: string): Promise<Lane | null> {
  return db.transaction().execute(async (trx) => {
    await lockTenant(trx, tenantId);
    const removed = await trx
      .updateTable('channel_accounts')
      .set({ deleted_at: sql`now()` })
      .where('id', '=', id)
      .where('tenant_id', '=', tenantId)
      .where('deleted_at', 'is', null)
      .returning(['channel', 'lane', 'is_default'])
      .executeTakeFirst();
    if (removed === undefined) return null;
    if (removed.is_default) await appointDefault(trx, tenantId, removed.channel);
    return removed.lane;
  });
}

async function appointDefault(trx: Trx, tenantId: string, channel: Channel): Promise<void> {
  const heir = present(trx, tenantId)
    .clearSelect()
    .select('id')
    .where('channel', '=', channel)
    .orderBy(sql`provider = ${sandboxProvider}`)
    .orderBy('id')
    .limit(1);
  await trx.updateTable('channel_accounts').set({ is_default: true }).where('id', '=', heir).execute();
}

async function clearDefault(trx: Trx, of: Pick<NewAccount, 'tenantId' | 'channel'>): Promise<void> {
  await trx
    .updateTable('channel_accounts')
    .set({ is_default: false })
    .where('tenant_id', '=', of.tenantId)
    .where('channel', '=', of.channel)
    .where('is_default', '=', true)
    .execute();
}

async function insertAccount(trx: Trx, account: NewAccount): Promise<AccountRow> {
  const { id, tenantId, channel, provider, name, settings, perSecond, isDefault } = account;
  const row = await trx
    .insertInto('channel_accounts')
    .values({
      id,
      tenant_id: tenantId,
      channel,
      provider,
      name,
      settings,
      per_second: perSecond,
      is_default: isDefault,
      blocked: sql`(select blocked_at is not null from tenants where id = ${tenantId})`,
      ...(provider === whatsappWeb ? unlinked : {}),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (provider === whatsappWeb) await insertLink(trx, tenantId, id);
  return { ...row, restricted_until: null };
}

/** Ends a pause that the provider or a broken connection caused. A block by the operator is stored apart and stays. */
const working = {
  status: 'connected',
  status_detail: null,
  paused_until: null,
  pause_reason: null,
  failures_in_row: 0,
} as const;

/** New settings leave the state of a linked device as it is: that follows the connection. */
function workingAgain(account: AccountRow): Partial<typeof working> {
  return account.provider === whatsappWeb ? {} : working;
}

function present(db: Db, tenantId: string) {
  return db
    .selectFrom('channel_accounts')
    .selectAll()
    .select(
      sql<Date | null>`(
        select l.restricted_until from whatsapp_links l
        where l.account_id = channel_accounts.id and l.restricted_until > now()
      )`.as('restricted_until'),
    )
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null);
}
