import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { contentOf } from '../messages/columns.ts';
import { pageOptions, showPages } from '../output/pages.ts';
import { paintStatus } from '../output/shown.ts';

export const showConversation = defineCommand({
  name: 'conversations show',
  summary: 'List the messages of a conversation, newest first.',
  arguments: { id: idArgument(kinds.conversation) },
  options: pageOptions,
  examples: [
    { does: 'The last messages', line: 'conversations show cnv_01912d68-783e-7a03-8467-5661c1243ad4' },
  ],
  async run(context, { id, ...page }) {
    const { client, output, signal } = context;
    const notify = await client();
    await showPages(context, page, (at) => notify.conversations.listMessages(id, at, { signal }), {
      columns: [
        { title: 'ID', cell: ({ messageId }) => messageId },
        { title: 'CREATED', cell: ({ createdAt }) => createdAt, isTime: true },
        { title: 'DIRECTION', cell: ({ direction }) => direction },
        { title: 'STATUS', cell: ({ status }) => status, paint: paintStatus(output.style) },
        { title: 'CONTENT', cell: ({ body, type }) => contentOf(body, type), shrinks: true },
      ],
      empty: 'No messages.',
    });
  },
});
