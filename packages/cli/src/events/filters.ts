import type { Channel } from '@notify/sdk';
import { idOption } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { channels } from '../messages/channels.ts';
import { choice, text } from '../options.ts';

/** The options by which events are filtered. */
export const eventFilterOptions = {
  account: idOption(kinds.account, 'Only events of this channel account.'),
  channel: choice('<channel>', channels, 'Only events of this channel.'),
  tag: text('<tag>', 'Only events of messages and groups with this tag.'),
};

/** The filters as a query has them. */
export function eventFiltersOf({
  account,
  channel,
  tag,
}: {
  readonly account: string | undefined;
  readonly channel: Channel | undefined;
  readonly tag: string | undefined;
}): { channelAccountId: string | undefined; channel: Channel | undefined; tag: string | undefined } {
  return { channelAccountId: account, channel, tag };
}
