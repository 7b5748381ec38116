import type { Adapter } from '@notify/channels';
import { type SealedAccount, settingsPlace } from '@notify/db/accounts';
import type { ClaimedAccount } from '@notify/db/dispatch';
import type { DispatchDeps } from './deps.ts';

/** An account's adapter and opened settings, or the reason why it cannot send. */
export type Connection =
  | {
      readonly kind: 'open';
      readonly adapter: Adapter;
      readonly settings: unknown;
      readonly callbackUrl: string | null;
    }
  | { readonly kind: 'broken'; readonly text: string };

export type OpenConnection = Extract<Connection, { kind: 'open' }>;

/**
 * Opens the account's settings. Never throws: an account with unreadable settings is broken, and its messages are held.
 */
export function openConnection(
  account: ClaimedAccount,
  deps: Pick<DispatchDeps, 'adapters' | 'secrets' | 'publicUrl' | 'log'>,
): Connection {
  const adapter = deps.adapters.get(account.provider);
  if (adapter === undefined)
    return { kind: 'broken', text: `The provider ${account.provider} is not installed.` };
  const opened = openSettings(account, deps);
  if (opened === null) return { kind: 'broken', text: 'The settings cannot be decrypted. Enter them again.' };
  const { settings, callbackSecret } = opened;
  return {
    kind: 'open',
    adapter,
    settings,
    callbackUrl: callbackUrlOf(account, adapter, callbackSecret, deps.publicUrl),
  };
}

function openSettings(
  account: ClaimedAccount,
  deps: Pick<DispatchDeps, 'secrets' | 'log'>,
): SealedAccount | null {
  const { id, tenantId, settings } = account;
  try {
    return JSON.parse(deps.secrets.open(settings, settingsPlace(tenantId, id))) as SealedAccount;
  } catch (error) {
    deps.log.error({ err: error, accountId: id }, 'account settings cannot be opened');
    return null;
  }
}

function callbackUrlOf(
  account: ClaimedAccount,
  adapter: Adapter,
  secret: string,
  publicUrl: string | null,
): string | null {
  if (publicUrl === null || !adapter.capabilities.callbacks) return null;
  return `${publicUrl.replace(/\/$/, '')}/callbacks/${adapter.id}/${account.id}/${secret}`;
}
