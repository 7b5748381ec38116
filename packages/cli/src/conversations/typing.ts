import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { toldLine } from './told-line.ts';

export const showTyping = defineCommand({
  name: 'conversations typing',
  summary: 'Show the contact for some seconds that somebody types.',
  arguments: { id: idArgument(kinds.conversation) },
  options: {},
  examples: [
    { does: 'While you write', line: 'conversations typing cnv_01912d68-783e-7a03-8467-5661c1243ad4' },
  ],
  async run({ client, output, signal }, { id }) {
    const told = await (await client()).conversations.typing(id, { signal });
    output.document(told, () => [toldLine(told)]);
  },
});
