import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';

export const enableWebhook = defineCommand({
  name: 'webhooks enable',
  summary: 'Enable a webhook.',
  details: 'What it missed while it was disabled comes with webhooks replay.',
  arguments: { id: idArgument(kinds.webhook) },
  examples: [{ does: 'Enable', line: 'webhooks enable wh_01912d68-783e-7a03-8467-5661c1243ad4' }],
  async run({ client, output, signal }, { id }) {
    const webhook = await (await client()).webhooks.enable(id, { signal });
    output.document(webhook, (style) => [`${style.green('Enabled')} ${webhook.id}.`]);
  },
});
