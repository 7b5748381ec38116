import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { flag } from '../options.ts';
import { showMessage } from './message-text.ts';

export const showMessageCommand = defineCommand({
  name: 'messages show',
  summary: 'Show a message and what happened to it.',
  details:
    'Its timeline has each status with how many webhooks have it, each attempt with the answer of the provider, and the receipts.',
  arguments: { id: idArgument(kinds.message) },
  options: {
    deliveries: flag('A row for each delivery to a webhook, with its URL and last answer.'),
  },
  examples: [
    { does: 'Why a message failed', line: 'messages show msg_01912d68-783e-7a03-8467-5661c1243ad4' },
    {
      does: 'Which webhook does not have its events',
      line: 'messages show msg_01912d68-783e-7a03-8467-5661c1243ad4 --deliveries',
    },
  ],
  async run({ client, output, signal }, { id, deliveries }) {
    const message = await (await client()).tenantMessages.get(id, { signal });
    showMessage(output, message, { deliveries: deliveries === true });
  },
});
