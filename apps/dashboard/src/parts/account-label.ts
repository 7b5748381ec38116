import type { ChannelAccount } from '@notify/sdk';
import { channelName } from './channel-name.ts';

type Named = Pick<ChannelAccount, 'id' | 'name' | 'channel'>;

/** An account as a choice among others: its name and channel, and the end of its ID if others have the same. */
export function accountLabel(account: Named, all: readonly Named[]): string {
  return `${accountName(account, all)} · ${channelName(account.channel)}`;
}

/** An account's name without its channel. If two accounts of a channel share a name, the end of their IDs is added. */
export function accountName({ id, name, channel }: Named, all: readonly Named[]): string {
  const isTaken = all.some((one) => one.id !== id && one.name === name && one.channel === channel);
  return isTaken ? `${name} (…${id.slice(-4)})` : name;
}
