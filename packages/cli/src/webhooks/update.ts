import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { UsageFailure } from '../failures.ts';
import { given } from '../given.ts';
import { text } from '../options.ts';
import { eventsOption, namesOf } from '../events/names.ts';
import { clearableFilterOptions, filtersOf } from './filters.ts';
import { changedPackingOptions, deliveryOf } from './packing.ts';
import { webhookLines } from './shown.ts';

export const updateWebhook = defineCommand({
  name: 'webhooks update',
  summary: 'Change the address, the events, the filters, the packs or the label of a webhook.',
  arguments: { id: idArgument(kinds.webhook) },
  options: {
    url: text('<url>', 'The new address.'),
    events: eventsOption('The events it gets.'),
    ...clearableFilterOptions,
    ...changedPackingOptions,
    description: text('<text>', 'The new label. An empty one removes it.'),
  },
  examples: [
    { does: 'Move a webhook', line: 'webhooks update wh_01912d68-… --url https://example.com/new-hook' },
    {
      does: 'Only events of two channels, whatever their tags',
      line: "webhooks update wh_01912d68-… --channels sms,whatsapp --tags ''",
    },
    { does: 'A post for each event again', line: 'webhooks update wh_01912d68-… --single' },
  ],
  async run(
    { client, output, signal },
    { id, url, events, description, maxEvents, maxWaitMs, single, ...filters },
  ) {
    const change = given({
      url,
      events: events && namesOf(events),
      ...filtersOf(filters),
      delivery: deliveryOf({ maxEvents, maxWaitMs, single }),
      description,
    });
    if (Object.keys(change).length === 0)
      throw new UsageFailure(
        'one of --url, --events, --accounts, --channels, --tags, --max-events, --single and --description is required',
      );
    const webhook = await (await client()).webhooks.update(id, change, { signal });
    output.document(webhook, (style) => webhookLines(webhook, style));
  },
});
