import { defineCommand } from '../command.ts';
import { webhookColumns } from './shown.ts';

export const listWebhooks = defineCommand({
  name: 'webhooks list',
  summary: 'List webhooks and how they are doing.',
  examples: [
    { does: 'All webhooks', line: 'webhooks list' },
    { does: 'Those that fail', line: `webhooks list --json | jq '.[] | select(.state == "failing")'` },
  ],
  async run({ client, output, signal }) {
    const webhooks = await (await client()).webhooks.list({ signal });
    if (output.json) output.document(webhooks, () => []);
    else output.table(webhooks, webhookColumns(output.style), { empty: 'No webhooks.' });
  },
});
