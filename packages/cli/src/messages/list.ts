import { defineCommand } from '../command.ts';
import { given } from '../given.ts';
import { idOption } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { choice, flag, formerly, pastTime, text } from '../options.ts';
import { pageOptions, showPages } from '../output/pages.ts';
import { channels } from './channels.ts';
import { messageColumns } from './columns.ts';

export const listMessages = defineCommand({
  name: 'messages list',
  summary: 'List messages, newest first.',
  options: {
    channel: choice('<channel>', channels, 'Only this channel.'),
    status: choice('<status>', ['queued', 'sent', 'delivered', 'failed'], 'Only messages with this status.'),
    direction: choice('<direction>', ['outbound', 'inbound', 'all'], 'Default: outbound.'),
    account: idOption(kinds.account, 'Only messages of this channel account.'),
    to: text('<recipient>', 'Only messages to this recipient.'),
    sender: text('<address>', 'Only messages from this person.'),
    error: text('<code>', 'Only messages that failed with this code.'),
    externalId: text('<id>', 'Only messages with this ID of the provider.'),
    idempotencyKey: text('<key>', 'Only messages of the request with this idempotency key.'),
    group: idOption(kinds.group, 'Only messages of this group.'),
    tag: text('<tag>', 'Only messages with this tag.'),
    since: formerly('from', pastTime('<time>', 'Only messages since this time.')),
    until: pastTime('<time>', 'Only messages before this time.'),
    scheduled: flag('Only messages that are scheduled for later.'),
    ...pageOptions,
  },
  examples: [
    { does: 'What failed in the last hour', line: 'messages list --status failed --since 1h' },
    {
      does: 'The errors of all failed messages, for a script',
      line: 'messages list --status failed --all --json',
    },
    { does: 'What the provider did not know', line: 'messages list --error recipient-rejected' },
  ],
  async run(context, { limit, cursor, all, account, since, scheduled, error, group, ...filters }) {
    const client = await context.client();
    const query = given({
      ...filters,
      scheduled: scheduled ? true : undefined,
      from: since,
      channelAccountId: account,
      errorCode: error,
      groupId: group,
    });
    await showPages(
      context,
      { limit, cursor, all },
      (page) => client.tenantMessages.list({ ...query, ...page }, { signal: context.signal }),
      { columns: messageColumns(context.output.style), empty: 'No messages.' },
    );
  },
});
