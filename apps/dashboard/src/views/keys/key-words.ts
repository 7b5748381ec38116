import type { ApiKey, ChannelAccount } from '@notify/sdk';
import { accountLabel } from '../../parts/account-label.ts';
import { amount } from '../../parts/time/time-text.ts';

/**
 * The names of a key's accounts. Null: all. An account that was removed has only the end of its ID. Until the accounts are
 * read there are no names.
 */
export function accountNames(
  { channelAccountIds }: Pick<ApiKey, 'channelAccountIds'>,
  accounts: readonly ChannelAccount[] | null,
): string[] | null {
  if (channelAccountIds === null) return null;
  if (accounts === null) return [];
  return channelAccountIds.map((id) => {
    const account = accounts.find((one) => one.id === id);
    return account === undefined ? `Removed account (…${id.slice(-4)})` : accountLabel(account, accounts);
  });
}

/** How many requests a key may make. */
export function limitInWords(limit: number | null): string {
  return limit === null ? 'Default' : `${amount(limit)} per minute`;
}
