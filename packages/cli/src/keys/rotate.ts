import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { given } from '../given.ts';
import { flag, integer } from '../options.ts';

export const rotateKey = defineCommand({
  name: 'keys rotate',
  summary: 'Replace an API key by a new one with the same limits. Shows it once.',
  arguments: { id: idArgument(kinds.key) },
  options: {
    overlap: integer('<seconds>', { min: 0, max: 604_800 }, 'How long the old key still works. Default 0.'),
    yes: flag('Do not ask.'),
  },
  examples: [
    {
      does: 'Replace a key; the old one works for another hour',
      line: 'keys rotate key_01912d68-… --overlap 3600',
    },
  ],
  async run({ client, output, questions, signal }, { id, overlap, yes }) {
    const notify = await client();
    const until = overlap === undefined || overlap === 0 ? 'at once' : `after ${overlap} seconds`;
    await questions.agreed(`Replace the key ${id}? The old one stops working ${until}.`, yes);
    const created = await notify.apiKeys.rotate(id, given({ overlapSeconds: overlap }), { signal });
    output.document(created, (style) => [
      `${style.green('Created')} ${created.id}`,
      `Key: ${style.bold(created.key)}`,
    ]);
    output.note(created.warning);
  },
});
