import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';

export const retryDelivery = defineCommand({
  name: 'webhooks retry',
  summary: 'Deliver one event, or a pack of events, to a webhook again.',
  arguments: { id: idArgument(kinds.webhook), deliveryId: idArgument(kinds.delivery) },
  examples: [{ does: 'Deliver it again', line: 'webhooks retry wh_01912d68-… dlv_01912d69-…' }],
  async run({ client, output, signal }, { id, deliveryId }) {
    const requested = await (await client()).webhooks.retryDelivery(id, deliveryId, { signal });
    output.document(requested, (style) => [`${style.green('Queued')} the delivery ${requested.deliveryId}.`]);
  },
});
