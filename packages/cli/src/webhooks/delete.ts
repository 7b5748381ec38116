import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { flag } from '../options.ts';

export const deleteWebhook = defineCommand({
  name: 'webhooks delete',
  summary: 'Delete a webhook and what waits for it.',
  arguments: { id: idArgument(kinds.webhook) },
  options: { yes: flag('Do not ask.') },
  examples: [{ does: 'Delete without being asked', line: 'webhooks delete wh_01912d68-… --yes' }],
  async run({ client, output, questions, signal }, { id, yes }) {
    const notify = await client();
    await questions.agreed(`Delete the webhook ${id}?`, yes);
    await notify.webhooks.delete(id, { signal });
    output.document({ id, deleted: true }, (style) => [`${style.green('Deleted')} ${id}.`]);
  },
});
