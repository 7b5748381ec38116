import type { Webhook } from '@notify/sdk';
import { idsOption } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { channels } from '../messages/channels.ts';
import { choices, list, type Option } from '../options.ts';

/** The options for the filters of a webhook. */
export const filterOptions = {
  accounts: idsOption(kinds.account, 'Only events of these channel accounts.'),
  channels: choices('<channels>', channels, 'Only events of these channels.'),
  tags: list('<tags>', 'Only events of messages and groups with one of these tags.'),
};

/** The same, where an empty text removes a filter. */
export const clearableFilterOptions = {
  accounts: clearable(filterOptions.accounts),
  channels: clearable(filterOptions.channels),
  tags: clearable(filterOptions.tags),
};

/** Makes an empty text stand for no values. Null would not arrive: the reader of options takes it for a missing value. */
function clearable<T>(option: Option<readonly T[] | undefined>): Option<readonly T[] | undefined> {
  return {
    ...option,
    about: `${option.about} An empty text removes the filter.`,
    read: (typed, before) => (typed === '' ? [] : option.read(typed, before)),
  };
}

type Typed<C> = readonly C[] | undefined;

/** The filters as a request has them: each value once, and null for no values. */
export function filtersOf<C extends string>({
  accounts,
  channels: ofChannels,
  tags,
}: {
  readonly accounts: Typed<string>;
  readonly channels: Typed<C>;
  readonly tags: Typed<string>;
}): {
  channelAccountIds: string[] | null | undefined;
  channels: C[] | null | undefined;
  tags: string[] | null | undefined;
} {
  return { channelAccountIds: distinct(accounts), channels: distinct(ofChannels), tags: distinct(tags) };
}

function distinct<T>(values: Typed<T>): T[] | null | undefined {
  if (values?.length === 0) return null;
  return values && [...new Set(values)];
}

/** The filters in few words. Null without any. */
export function filtersInWords({
  channelAccountIds,
  channels: ofChannels,
  tags,
}: Pick<Webhook, 'channelAccountIds' | 'channels' | 'tags'>): string | null {
  const set = [
    ...(channelAccountIds === null ? [] : [`accounts ${channelAccountIds.join(', ')}`]),
    ...(ofChannels === null ? [] : [`channels ${ofChannels.join(', ')}`]),
    ...(tags === null ? [] : [`tags ${tags.join(', ')}`]),
  ];
  return set.length === 0 ? null : set.join('; ');
}
