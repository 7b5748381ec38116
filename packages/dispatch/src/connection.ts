import type { Adapter } from '@notify/channels';
import type { ClaimedAccount } from '@notify/db/dispatch';
import type { DispatchDeps } from './deps.ts';
import { callbackUrlOf, openIfReadable } from './sealed-account.ts';

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
  const opened = openIfReadable(deps, account);
  if (opened === null) return { kind: 'broken', text: 'The settings cannot be decrypted. Enter them again.' };
  const { settings, callbackSecret } = opened;
  return {
    kind: 'open',
    adapter,
    settings,
    callbackUrl: callbackUrlOf(adapter, account.id, callbackSecret, deps.publicUrl),
  };
}
