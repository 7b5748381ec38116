import type { ChannelAccount } from '@notify/contract';
import { type Adapter, maskSettings } from '@notify/channels';
import { isUuid } from '@notify/core';
import { type AccountRow, type SealedAccount, settingsPlace } from '@notify/db';
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

/** Reads what is sealed of an account. */
export function openAccount(deps: Pick<ApiDeps, 'secrets'>, row: AccountRow): SealedAccount {
  return JSON.parse(deps.secrets.open(row.settings, settingsPlace(row.tenant_id, row.id))) as SealedAccount;
}

/** Seals what is kept secret of an account, for its row alone. */
export function sealAccount(
  deps: Pick<ApiDeps, 'secrets'>,
  row: Pick<AccountRow, 'id' | 'tenant_id'>,
  account: SealedAccount,
): string {
  return deps.secrets.seal(JSON.stringify(account), settingsPlace(row.tenant_id, row.id));
}

/** An account as it is shown: secret settings masked. */
export function toAccount(row: AccountRow, deps: ApiDeps): ChannelAccount {
  const adapter = adapterOf(deps, row.provider);
  const { settings, callbackSecret } = openAccount(deps, row);
  return {
    id: row.id,
    channel: row.channel,
    provider: row.provider,
    name: row.name,
    isDefault: row.is_default,
    status: row.status,
    statusDetail: row.status_detail,
    settings: maskSettings(adapter, settings),
    createdAt: row.created_at.toISOString(),
    lastConnectedAt: row.last_connected_at?.toISOString() ?? null,
    callbackUrl: callbackUrl(adapter, row.id, callbackSecret, deps.settings.publicUrl),
  };
}

/** Where the provider is to report; null when it does not report by HTTP, or nobody said where we can be reached. */
function callbackUrl(adapter: Adapter, id: string, secret: string, publicUrl: string | null): string | null {
  if (publicUrl === null || !adapter.capabilities.callbacks) return null;
  return `${publicUrl.replace(/\/+$/, '')}/callbacks/${adapter.id}/${id}/${secret}`;
}
