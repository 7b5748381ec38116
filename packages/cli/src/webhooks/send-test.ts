import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';

export const testWebhook = defineCommand({
  name: 'webhooks test',
  summary: 'Send a webhook.test event to a webhook.',
  details: 'webhooks deliveries shows how it ended.',
  arguments: { id: idArgument(kinds.webhook) },
  examples: [{ does: 'Send a test event', line: 'webhooks test wh_01912d68-783e-7a03-8467-5661c1243ad4' }],
  async run({ client, output, signal }, { id }) {
    const requested = await (await client()).webhooks.test(id, { signal });
    output.document(requested, (style) => [`${style.green('Queued')} the delivery ${requested.deliveryId}.`]);
  },
});
