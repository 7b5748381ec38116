import { defineCommand } from '../command.ts';
import { given } from '../given.ts';
import { idArgument, idOption } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { flag } from '../options.ts';
import { toldLine } from './told-line.ts';

export const readConversation = defineCommand({
  name: 'conversations read',
  summary: 'Mark the messages of a conversation as read.',
  arguments: { id: idArgument(kinds.conversation) },
  options: {
    message: idOption(kinds.message, 'The newest message that was read. Default: all are.'),
    tellSender: flag('Also tell the person who wrote, where the provider can.'),
  },
  examples: [
    { does: 'Mark all as read', line: 'conversations read cnv_01912d68-783e-7a03-8467-5661c1243ad4' },
    {
      does: 'And show the person so',
      line: 'conversations read cnv_01912d68-783e-7a03-8467-5661c1243ad4 --tell-sender',
    },
  ],
  async run({ client, output, signal }, { id, message, tellSender }) {
    const body = given({ messageId: message, tellSender: tellSender || undefined });
    const marked = await (await client()).conversations.markRead(id, body, { signal });
    output.document(marked, (style) => [
      `${style.green('Marked')} ${marked.id}`,
      `Unread: ${marked.unread}`,
      ...(tellSender ? [toldLine(marked)] : []),
    ]);
  },
});
