import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { webhookLines } from './shown.ts';

export const showWebhook = defineCommand({
  name: 'webhooks show',
  summary: 'Show a webhook.',
  arguments: { id: idArgument(kinds.webhook) },
  examples: [
    { does: 'How a webhook is doing', line: 'webhooks show wh_01912d68-783e-7a03-8467-5661c1243ad4' },
  ],
  async run({ client, output, signal }, { id }) {
    const webhook = await (await client()).webhooks.get(id, { signal });
    output.document(webhook, (style) => webhookLines(webhook, style));
  },
});
