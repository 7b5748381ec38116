import type { ApiKey, ChannelAccount, Webhook } from '@notify/sdk';
import { accountLabel } from './account-label.ts';

/**
 * The names of the accounts that a key or a webhook is for. Null: all. An account that was removed has only the end of its ID. Until the accounts are
 * read there are no names.
 */
export function accountNames(
  { channelAccountIds }: Pick<ApiKey | Webhook, 'channelAccountIds'>,
  accounts: readonly ChannelAccount[] | null,
): string[] | null {
  if (channelAccountIds === null) return null;
  if (accounts === null) return [];
  return channelAccountIds.map((id) => {
    const account = accounts.find((one) => one.id === id);
    return account === undefined ? `Removed account (…${id.slice(-4)})` : accountLabel(account, accounts);
  });
}
