import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { flag } from '../options.ts';

export const cancelMessage = defineCommand({
  name: 'messages cancel',
  summary: 'Cancel a message that still waits.',
  details: 'A message that is being sent or was sent cannot be canceled.',
  arguments: { id: idArgument(kinds.message) },
  options: { yes: flag('Do not ask.') },
  examples: [{ does: 'Cancel without being asked', line: 'messages cancel msg_01912d68-… --yes' }],
  async run({ client, output, questions, signal }, { id, yes }) {
    const notify = await client();
    await questions.agreed(`Cancel the message ${id}?`, yes);
    const message = await notify.tenantMessages.cancel(id, { signal });
    output.document(message, (style) => [`${style.green('Canceled')} ${id}.`]);
  },
});
