import type { Channel, ChannelAccount, Webhook } from '@notify/sdk';
import { accountNames } from '../../parts/account-names.ts';
import { channelName } from '../../parts/channel-name.ts';

/** The filters of a webhook. Null: no filter. */
export type Filters = Pick<Webhook, 'channelAccountIds' | 'channels' | 'tags'>;

/** The filters as inputs hold them. Empty: no filter. */
export interface FilterValues {
  readonly channelAccountIds: string[];
  readonly channels: Channel[];
  readonly tags: string[];
}

/** The inputs of these filters. */
export function filterValues({ channelAccountIds, channels, tags }: Filters): FilterValues {
  return { channelAccountIds: channelAccountIds ?? [], channels: channels ?? [], tags: tags ?? [] };
}

/** The filters of these inputs. */
export function filtersOf({ channelAccountIds, channels, tags }: FilterValues): Filters {
  return {
    channelAccountIds: channelAccountIds.length === 0 ? null : channelAccountIds,
    channels: channels.length === 0 ? null : channels,
    tags: tags.length === 0 ? null : tags,
  };
}

/** Those of the filters that differ from the earlier ones. So what somebody else changes meanwhile stays, unless it is the same filter. */
export function changedFilters(filters: Filters, before: Filters): Partial<Filters> {
  return Object.fromEntries(
    Object.entries(filters).filter(
      ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Filters]),
    ),
  );
}

/** What a webhook receives events of, in words: a line for each filter. */
export function filterLines(filters: Filters, accounts: readonly ChannelAccount[] | null): string[] {
  const { channels, tags } = filters;
  const names = accountNames(filters, accounts);
  return [
    ...(names === null || names.length === 0 ? [] : [names.join(', ')]),
    ...(channels === null ? [] : [channels.map(channelName).join(', ')]),
    ...(tags === null ? [] : [`Tagged ${tags.join(', ')}`]),
  ];
}

/** Whether only accounts that were removed are left, so that the webhook receives no events of messages. */
export function isWithoutAccounts(
  { channelAccountIds }: Filters,
  accounts: readonly ChannelAccount[] | null,
): boolean {
  if (channelAccountIds === null || accounts === null) return false;
  return !accounts.some(({ id }) => channelAccountIds.includes(id));
}
