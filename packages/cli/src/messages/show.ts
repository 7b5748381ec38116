import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { showMessage } from './message-text.ts';

export const showMessageCommand = defineCommand({
  name: 'messages show',
  summary: 'Show a message and what happened to it.',
  details:
    'Its timeline has each status, each attempt with the answer of the provider, the receipts and the webhooks.',
  arguments: { id: idArgument(kinds.message) },
  examples: [
    { does: 'Why a message failed', line: 'messages show msg_01912d68-783e-7a03-8467-5661c1243ad4' },
  ],
  async run({ client, output, signal }, { id }) {
    const message = await (await client()).tenantMessages.get(id, { signal });
    showMessage(output, message);
  },
});
