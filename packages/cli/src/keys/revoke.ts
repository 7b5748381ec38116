import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { flag } from '../options.ts';

export const revokeKey = defineCommand({
  name: 'keys revoke',
  summary: 'Revoke an API key. It stops working at once.',
  arguments: { id: idArgument(kinds.key) },
  options: { yes: flag('Do not ask.') },
  examples: [{ does: 'Revoke without being asked', line: 'keys revoke key_01912d68-… --yes' }],
  async run({ client, output, questions, signal }, { id, yes }) {
    const notify = await client();
    await questions.agreed(`Revoke the key ${id}? It stops working at once.`, yes);
    await notify.apiKeys.revoke(id, { signal });
    output.document({ id, revoked: true }, (style) => [`${style.green('Revoked')} ${id}.`]);
  },
});
