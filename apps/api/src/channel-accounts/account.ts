import { type Adapter, maskSettings } from '@notify/channels';
import type { ChannelAccount } from '@notify/contract';
import { isUuid } from '@notify/core';
import { type AccountRow, type SealedAccount, settingsPlace } from '@notify/db/accounts';
import { SecretError } from '@notify/runtime';
import Type from 'typebox';
import type { ApiDeps } from '../deps.ts';
import { Problem } from '../http/problem.ts';

/** Path parameters of the routes of one account. */
export const AccountParams = Type.Object({ id: Type.String() });

/** The id in a path, in lower case; a `not-found` Problem where it cannot be one. */
export function readAccountId(text: string): string {
  if (!isUuid(text)) throw new Problem('not-found');
  return text.toLowerCase();
}

/** The adapter an account was made with. Throws where this version has none of that id, which is a fault of ours. */
export function adapterOf({ adapters }: Pick<ApiDeps, 'adapters'>, provider: string): Adapter {
  const adapter = adapters.get(provider);
  if (adapter === undefined) throw new Error(`no adapter for provider ${provider}`);
  return adapter;
}

/** What is said of an account that does not open. */
export const unreadable = 'The settings cannot be decrypted. Enter them again.';

/** What it takes to open an account. */
type SealedRow = Pick<AccountRow, 'id' | 'tenant_id' | 'settings'>;

/** Reads what is sealed of an account. Throws a SecretError where it does not open. */
export function openAccount(deps: Pick<ApiDeps, 'secrets'>, row: SealedRow): SealedAccount {
  return JSON.parse(deps.secrets.open(row.settings, settingsPlace(row.tenant_id, row.id))) as SealedAccount;
}

/** The same, but null where it does not open, which is logged: one such account must not hide the others. */
export function openIfReadable(deps: Pick<ApiDeps, 'secrets' | 'log'>, row: SealedRow): SealedAccount | null {
  try {
    return openAccount(deps, row);
  } catch (error) {
    if (!(error instanceof SecretError)) throw error;
    deps.log.error(
      { err: error, accountId: row.id, tenantId: row.tenant_id },
      'account settings cannot be opened',
    );
    return null;
  }
}

/** Seals what is kept secret of an account, for its row alone. */
export function sealAccount(
  deps: Pick<ApiDeps, 'secrets'>,
  row: Pick<AccountRow, 'id' | 'tenant_id'>,
  account: SealedAccount,
): string {
  return deps.secrets.seal(JSON.stringify(account), settingsPlace(row.tenant_id, row.id));
}

/** An account as it is shown: secret settings masked; without any where they cannot be opened, and it says so. */
export function toAccount(row: AccountRow, deps: ApiDeps): ChannelAccount {
  const adapter = adapterOf(deps, row.provider);
  const opened = openIfReadable(deps, row);
  return {
    id: row.id,
    channel: row.channel,
    provider: row.provider,
    name: row.name,
    isDefault: row.is_default,
    status: opened === null ? 'action-required' : row.status,
    statusDetail: opened === null ? unreadable : detailOf(row),
    settings: opened === null ? {} : maskSettings(adapter, opened.settings),
    createdAt: row.created_at.toISOString(),
    lastConnectedAt: row.last_connected_at?.toISOString() ?? null,
    callbackUrl:
      opened === null ? null : callbackUrl(adapter, row.id, opened.callbackSecret, deps.settings.publicUrl),
  };
}

/** What there is to say of an account beside its status; a linked device can be connected and restricted. */
export function detailOf({ status_detail: detail, restricted_until: until }: AccountRow): string | null {
  if (detail !== null || until === null) return detail;
  return `WhatsApp blocks first messages to new contacts until ${until.toISOString()}. They wait until then.`;
}

/** Where the provider is to report; null when it does not report by HTTP, or nobody said where we can be reached. */
function callbackUrl(adapter: Adapter, id: string, secret: string, publicUrl: string | null): string | null {
  if (publicUrl === null || !adapter.capabilities.callbacks) return null;
  return `${publicUrl.replace(/\/+$/, '')}/callbacks/${adapter.id}/${id}/${secret}`;
}
