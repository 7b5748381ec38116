import { randomBytes, randomUUIDv7 } from 'node:crypto';
import { type Channel, channels, type Lane } from '@notify/core';
import { type Selectable, sql } from 'kysely';
import type { Db, Trx } from '../connection/connect.ts';
import type { Database } from '../schema/tables.ts';
import { addSync, removeTemplates } from '../templates/due.ts';
import { lockTenant } from '../tenants/tenant-lock.ts';
import {
  appointDefault,
  clearDefault,
  sandboxProvider,
  takeDefault,
  takeDefaultOnCheck,
  takesDefault,
} from './default-account.ts';
import { insertLink, unlinked, whatsappWeb } from './linked-devices.ts';
import { stateAfter, type StateColumns, type Verdict } from './verdict.ts';

/** A channel account that is not removed; its settings are sealed. */
export type AccountRow = Selectable<Database['channel_accounts']> & {
  /** A linked device sends no first messages to new contacts before this time. Null without such a restriction. */
  readonly restricted_until: Date | null;
  /** Contacts to whom sends are spread out, and until when for the last of them (ISO 8601). Null without any. */
  readonly loop_guard: { readonly contacts: number; readonly until: string } | null;
  /** Why messages to the account do not arrive, or what the provider complains about. Null without trouble. */
  readonly updates_detail: string | null;
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
  /** Whether the tenant wants it as the default of its channel. */
  readonly isDefault: boolean;
  /** What is known of its settings. A linked device has none of these states, but waits to be linked. */
  readonly verdict: Verdict;
}

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

/**
 * Stores an account. Returns null when the tenant already has `limit` accounts; concurrent calls keep to the limit too.
 * An account that works becomes the default of its channel if the channel has none, or if it is the channel's first real
 * account (it then replaces the sandbox). One that did not pass its check is `connecting`, and becomes the default only if it asks
 * to. An account whose settings were refused, or whose phone is not linked, does not become the default.
 */
export function createAccount(db: Db, account: NewAccount, limit: number): Promise<AccountRow | null> {
  return db.transaction().execute(async (trx) => {
    await lockTenant(trx, account.tenantId);
    const others = await present(trx, account.tenantId).execute();
    if (others.length >= limit) return null;
    const siblings = others.filter((other) => other.channel === account.channel);
    const { provider, verdict } = account;
    const canSend = verdict.kind !== 'refused' && provider !== whatsappWeb;
    const works = verdict.kind === 'passed' || provider === sandboxProvider;
    const isDefault = canSend && (account.isDefault || (works && takesDefault(provider, siblings)));
    if (isDefault) await clearDefault(trx, account);
    return insertAccount(trx, { ...account, isDefault });
  });
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
      verdict: { kind: 'unchecked', detail: null },
    } as const;
    await insertAccount(trx, { ...account, isDefault: true });
    await addSync(trx, id, sandboxProvider);
  }
}

/**
 * The fields that a change may set. Setting `settings` (sealed) also ends any pause of the account, unless they were
 * refused.
 */
export interface AccountChange {
  readonly name?: string;
  readonly settings?: {
    readonly sealed: string;
    readonly perSecond: number | null;
    readonly verdict: Verdict;
  };
  readonly isDefault?: true;
}

/**
 * Changes an account. `change` receives the locked account and returns the fields to write. If `change` throws, nothing
 * is written. An account that becomes usable takes the default as a new one does. Returns null when the tenant has no
 * account of that id.
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
          : {
              settings: settings.sealed,
              per_second: settings.perSecond,
              ...stateChange(account, settings.verdict),
            }),
      })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow();
    const tookDefault =
      settings?.verdict.kind === 'passed'
        ? await takeDefaultOnCheck(trx, account, changed)
        : await takeDefault(trx, account, changed);
    return {
      ...changed,
      is_default: changed.is_default || tookDefault,
      restricted_until: account.restricted_until,
      loop_guard: account.loop_guard,
      // What is wrong with the old settings says nothing of the new ones.
      updates_detail: settings === undefined ? account.updates_detail : null,
    };
  });
}

/**
 * Records what the provider said of the account's settings. Settings that it accepted end a pause, and the account may
 * take the default as a new one does. A refusal counts only if the account has never worked: one that works is left to
 * its next send. No answer changes the status detail alone, and not that of an account that waits until somebody acts.
 * Does nothing if the settings have changed since `account` was read. Does nothing for a linked device either, because the
 * process that holds the device writes its state.
 */
export async function markVerdict(
  db: Db,
  account: Pick<AccountRow, 'id' | 'tenant_id' | 'provider' | 'settings'>,
  verdict: Verdict,
): Promise<void> {
  if (account.provider === whatsappWeb) return;
  await db.transaction().execute(async (trx) => {
    await lockTenant(trx, account.tenant_id);
    const before = await present(trx, account.tenant_id)
      .where('id', '=', account.id)
      .where('settings', '=', account.settings)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (before === undefined) return;
    if (verdict.kind === 'refused' && before.last_connected_at !== null) return;
    if (verdict.kind === 'unchecked' && before.status === 'action-required') return;
    const after = await trx
      .updateTable('channel_accounts')
      .set(
        verdict.kind === 'unchecked' ? { status_detail: verdict.detail } : stateAfter(verdict, 'connecting'),
      )
      .where('id', '=', account.id)
      .returningAll()
      .executeTakeFirstOrThrow();
    await (verdict.kind === 'passed'
      ? takeDefaultOnCheck(trx, before, after)
      : takeDefault(trx, before, after));
  });
}

/**
 * Removes an account with its templates: sends stop using it at once, and its waiting messages fail in its next turn. If
 * it was the default, the oldest real account of the channel that can be used becomes the default, else the oldest sandbox. Returns
 * the lane of that turn, or null when the tenant has no account of that id.
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
    await removeTemplates(trx, id);
    if (removed.is_default) await appointDefault(trx, tenantId, removed.channel);
    return removed.lane;
  });
}

async function insertAccount(trx: Trx, account: NewAccount): Promise<AccountRow> {
  const { id, tenantId, channel, provider, name, settings, perSecond, isDefault, verdict } = account;
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
      ...(provider === whatsappWeb
        ? unlinked
        : stateAfter(verdict, provider === sandboxProvider ? 'connected' : 'connecting')),
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  if (provider === whatsappWeb) await insertLink(trx, tenantId, id);
  return { ...row, restricted_until: null, loop_guard: null, updates_detail: null };
}

/**
 * New settings leave the state of a linked device as it is: that follows the connection. An account that is connected stays
 * so if its provider cannot be asked.
 */
function stateChange(account: AccountRow, verdict: Verdict): Partial<StateColumns> {
  if (account.provider === whatsappWeb) return {};
  const hasWorked = account.status === 'connected' || account.last_connected_at !== null;
  return stateAfter(verdict, hasWorked ? 'connected' : 'connecting');
}

function present(db: Db, tenantId: string) {
  return db
    .selectFrom('channel_accounts')
    .selectAll()
    .select([
      sql<Date | null>`(
        select l.restricted_until from whatsapp_links l
        where l.account_id = channel_accounts.id and l.restricted_until > now()
      )`.as('restricted_until'),
      sql<AccountRow['loop_guard']>`(
        select json_build_object('contacts', count(*), 'until', max(c.slow_until)) from conversations c
        where c.account_id = channel_accounts.id and c.slow_until > now() having count(*) > 0
      )`.as('loop_guard'),
      sql<string | null>`(
        select s.detail from update_sources s where s.account_id = channel_accounts.id
      )`.as('updates_detail'),
    ])
    .where('tenant_id', '=', tenantId)
    .where('deleted_at', 'is', null);
}
