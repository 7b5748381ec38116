import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { flag } from '../options.ts';

export const disableWebhook = defineCommand({
  name: 'webhooks disable',
  summary: 'Disable a webhook: it gets no events until it is enabled.',
  arguments: { id: idArgument(kinds.webhook) },
  options: { yes: flag('Do not ask.') },
  examples: [{ does: 'Disable without being asked', line: 'webhooks disable wh_01912d68-… --yes' }],
  async run({ client, output, questions, signal }, { id, yes }) {
    const notify = await client();
    await questions.agreed(`Disable the webhook ${id}? Its waiting deliveries are skipped.`, yes);
    const webhook = await notify.webhooks.disable(id, { signal });
    output.document(webhook, (style) => [`${style.green('Disabled')} ${webhook.id}.`]);
  },
});
