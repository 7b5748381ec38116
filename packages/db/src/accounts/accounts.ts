import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { type Channel, channels, type Lane } from '@notify/core';
import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';
import type { Database } from '../schema/tables.ts';
import { lockTenant } from '../tenants/tenant-lock.ts';
import { insertLink, unlinked, whatsappWeb } from './linked-devices.ts';

/** A channel account that is not removed; its settings are sealed. */
export type AccountRow = Selectable<Database['channel_accounts']> & {
  /** A linked device takes no first messages to new contacts until then; null when it does, and for every other account. */
  readonly restricted_until: Date | null;
};

/** What `channel_accounts.settings` holds, before it is sealed. */
export interface SealedAccount {
  readonly settings: unknown;
  /** The last part of the account's callback URL. */
  readonly callbackSecret: string;
}

/** Where the settings of one account are sealed; the runtime's `Place` fits. */
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
  /** Messages a second at most; null for no limit of ours. */
  readonly perSecond: number | null;
  readonly isDefault: boolean;
}

const sandboxProvider = 'sandbox';

/** Where the settings of an account are sealed. */
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

/** One account, or null when the tenant has none of that id. */
export async function findAccount(db: Db, tenantId: string, id: string): Promise<AccountRow | null> {
  return (await present(db, tenantId).where('id', '=', id).executeTakeFirst()) ?? null;
}

/** What a callback says it is about. */
export interface CallbackAddress {
  readonly provider: string;
  readonly accountId: string;
}

/** As much of an account as a callback needs. */
export type CallbackAccount = Pick<AccountRow, 'id' | 'tenant_id' | 'provider' | 'settings'>;

/**
 * The accounts that callbacks name, whosoever they are, in the order asked; null where there is none of that provider.
 * The callback itself has to prove that it may.
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
 * Stores an account, or answers null when the tenant has `limit` already, however many calls race. The first real
 * account of a channel becomes its default, even over the sandbox; so does the first of any kind, and one that asks.
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

/** Gives a new tenant its sandbox account on every channel, the default until a real one comes. */
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

/** What a change may touch; `settings` (sealed) also takes the account out of any pause. */
export interface AccountChange {
  readonly name?: string;
  readonly settings?: { readonly sealed: string; readonly perSecond: number | null };
  readonly isDefault?: true;
}

/**
 * Changes an account. `change` is told the account as it stands, locked, and says what to write; what it throws undoes
 * all. Null when the tenant has none of that id.
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
 * Notes that the provider took the account's settings; does nothing when they were changed since `account` was read, or
 * when it is a linked device, whose state its owner tells.
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
 * Removes an account: no send takes it from here on, and its waiting messages fail when its turn comes. Where it was
 * the default, the oldest real account of the channel takes its place, else the oldest sandbox. Answers the lane of
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

/** Out of any pause that the provider or a broken connection caused; that the operator blocked the tenant is kept apart. */
const working = {
  status: 'connected',
  status_detail: null,
  paused_until: null,
  pause_reason: null,
  failures_in_row: 0,
} as const;

/** A linked device works while it is connected, whatever its settings. */
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
