import { defineCommand } from '../command.ts';
import { idOption } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { given } from '../given.ts';
import { channels } from '../messages/channels.ts';
import { contentOf } from '../messages/columns.ts';
import { choice, flag, pastTime, text } from '../options.ts';
import { pageOptions, showPages } from '../output/pages.ts';

export const listConversations = defineCommand({
  name: 'conversations list',
  summary: 'List conversations, the one with the newest message first.',
  options: {
    channel: choice('<channel>', channels, 'Only this channel.'),
    account: idOption(kinds.account, 'Only conversations of this channel account.'),
    to: text('<address>', 'Only conversations with this contact, in any spelling.'),
    search: text('<text>', 'Only contacts with this text in the name, username or address.'),
    unread: flag('Only conversations with unread messages.'),
    since: pastTime('<time>', 'Only conversations with their last message since this time.'),
    until: pastTime('<time>', 'Only conversations with their last message before this time.'),
    ...pageOptions,
  },
  examples: [
    { does: 'Who wrote last', line: 'conversations list --limit 10' },
    { does: 'What nobody has read', line: 'conversations list --unread' },
    { does: 'Who has been silent for a month', line: 'conversations list --until 30d' },
  ],
  async run(context, { channel, account, to, search, unread, since, until, ...page }) {
    const { client, signal } = context;
    const notify = await client();
    const filters = given({
      channel,
      channelAccountId: account,
      to,
      search,
      unread: unread || undefined,
      from: since,
      until,
    });
    await showPages(context, page, (at) => notify.conversations.list({ ...filters, ...at }, { signal }), {
      columns: [
        { title: 'ID', cell: ({ id }) => id },
        { title: 'CHANNEL', cell: ({ channel: shown }) => shown },
        { title: 'CONTACT', cell: ({ contact, to }) => contact?.name ?? to, shrinks: true },
        { title: 'UNREAD', cell: ({ unread }) => unread },
        { title: 'LAST', cell: ({ lastMessage }) => lastMessage?.createdAt, isTime: true },
        {
          title: 'MESSAGE',
          cell: ({ lastMessage }) => lastMessage && contentOf(lastMessage.body, lastMessage.type),
          shrinks: true,
        },
      ],
      empty: 'No conversations.',
    });
  },
});
