import { type Adapter, maskSettings } from '@notify/channels';
import type { ChannelAccount } from '@notify/contract';
import { isUuid } from '@notify/core';
import {
  type AccountRow,
  isUsable,
  type SealedAccount,
  settingsPlace,
  whatsappWeb,
} from '@notify/db/accounts';
import {
  callbackUrlOf,
  openAccount as open,
  openIfReadable as tryToOpen,
  type SettingsRow,
} from '@notify/dispatch';
import type { Secrets, Log, Settings } from '@notify/runtime';
import Type from 'typebox';
import { Problem } from '../problems/problem.ts';

/** What `toAccount` needs. */
export interface AccountNeeds {
  readonly settings: Settings;
  readonly secrets: Secrets;
  readonly adapters: ReadonlyMap<string, Adapter>;
  readonly log: Log;
}

/** Path parameters of the routes of one account. */
export const AccountParams = Type.Object({ id: Type.String() });

/** The id in a path, in lower case. Throws `not-found` if the text is no UUID. */
export function readAccountId(text: string): string {
  if (!isUuid(text)) throw new Problem('not-found');
  return text.toLowerCase();
}

/** The adapter of an account's provider. Throws a plain Error, which is a bug, if this version has no such adapter. */
export function adapterOf(
  { adapters }: { adapters: ReadonlyMap<string, Adapter> },
  provider: string,
): Adapter {
  const adapter = adapters.get(provider);
  if (adapter === undefined) throw new Error(`no adapter for provider ${provider}`);
  return adapter;
}

/** Shown for an account whose settings cannot be decrypted. */
export const unreadable = 'The settings cannot be decrypted. Enter them again.';

/** The columns that opening an account needs. */
type SealedRow = Pick<AccountRow, 'id' | 'tenant_id' | 'settings'>;

/** Decrypts the sealed part of an account. Throws a SecretError if it cannot be decrypted. */
export function openAccount(deps: { readonly secrets: Secrets }, row: SealedRow): SealedAccount {
  return open(deps, settingsOf(row));
}

/**
 * Like `openAccount`, but logs an account that cannot be decrypted and returns null. One such account must not hide the
 * others.
 */
export function openIfReadable(
  deps: { readonly secrets: Secrets; readonly log: Log },
  row: SealedRow,
): SealedAccount | null {
  return tryToOpen(deps, settingsOf(row));
}

function settingsOf({ id, tenant_id: tenantId, settings }: SealedRow): SettingsRow {
  return { id, tenantId, settings };
}

/** Seals the secrets of an account for its own row. */
export function sealAccount(
  deps: { readonly secrets: Secrets },
  row: Pick<AccountRow, 'id' | 'tenant_id'>,
  account: SealedAccount,
): string {
  return deps.secrets.seal(JSON.stringify(account), settingsPlace(row.tenant_id, row.id));
}

/**
 * An account as the API shows it, with secret settings masked. If its settings cannot be decrypted, it has none and its
 * detail says so.
 */
export function toAccount(row: AccountRow, deps: AccountNeeds): ChannelAccount {
  const adapter = adapterOf(deps, row.provider);
  const opened = openIfReadable(deps, row);
  return {
    id: row.id,
    channel: row.channel,
    provider: row.provider,
    name: row.name,
    isDefault: row.is_default,
    defaultDetail: whyNotDefault(row),
    status: opened === null ? 'action-required' : row.status,
    statusDetail: opened === null ? unreadable : detailOf(row),
    settings: opened === null ? {} : maskSettings(adapter, opened.settings),
    createdAt: row.created_at.toISOString(),
    lastConnectedAt: row.last_connected_at?.toISOString() ?? null,
    loopGuard: loopGuardOf(row),
    callbackUrl:
      opened === null ? null : callbackUrlOf(adapter, row.id, opened.callbackSecret, deps.settings.publicUrl),
  };
}

/** Why an account that has never worked is not the default. Null if it is, or could be. */
function whyNotDefault(row: AccountRow): string | null {
  if (row.is_default || isUsable(row)) return null;
  if (row.status === 'connecting')
    return 'Not before its first success: a verification that passes, or a message that the provider accepts. To make it the default now, set isDefault to true.';
  if (row.provider === whatsappWeb) return 'Not before its phone is linked.';
  return 'Not before the provider accepts the settings.';
}

/**
 * The detail beside an account's status. A linked device can be connected and restricted at the same time, and an account
 * can send although messages to it do not arrive.
 */
export function detailOf(row: AccountRow): string | null {
  const { status_detail: detail, restricted_until: until, updates_detail: updates } = row;
  if (detail !== null || until === null) return detail ?? updates;
  return `WhatsApp blocks first messages to new contacts until ${until.toISOString()}. They wait until then.`;
}

function loopGuardOf({ loop_guard: guard }: AccountRow): ChannelAccount['loopGuard'] {
  return guard === null ? null : { contacts: guard.contacts, until: new Date(guard.until).toISOString() };
}
