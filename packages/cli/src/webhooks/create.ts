import { argument } from '../arguments.ts';
import { defineCommand } from '../command.ts';
import { given } from '../given.ts';
import { text } from '../options.ts';
import { eventsOption, namesOf } from '../events/names.ts';
import { filterOptions, filtersOf } from './filters.ts';
import { deliveryOf, packingOptions } from './packing.ts';

export const createWebhook = defineCommand({
  name: 'webhooks create',
  summary: 'Create a webhook. Shows its secret once.',
  arguments: { url: argument('Address that gets the events: https, and public.') },
  options: {
    events: eventsOption('The events it gets. Default: the five of sent messages.'),
    ...filterOptions,
    ...packingOptions,
    description: text('<text>', 'A label.'),
  },
  examples: [
    { does: 'All events of sent messages', line: 'webhooks create https://example.com/hook' },
    {
      does: 'Failures and replies only',
      line: 'webhooks create https://example.com/hook --events message.failed,message.received',
    },
    {
      does: 'What becomes of the messages of one channel with a tag',
      line: 'webhooks create https://example.com/hook --channels sms --tags newsletter',
    },
    {
      does: 'Up to 100 events in a post, each after a second at most',
      line: 'webhooks create https://example.com/hook --max-events 100 --max-wait-ms 1000',
    },
    {
      does: 'Keep the secret',
      line: 'webhooks create https://example.com/hook --json | jq -r .secret > secret.txt',
    },
  ],
  async run({ client, output, signal }, { url, events, description, maxEvents, maxWaitMs, ...filters }) {
    const body = given({
      url,
      events: events && namesOf(events),
      ...filtersOf(filters),
      delivery: deliveryOf({ maxEvents, maxWaitMs }),
      description,
    });
    const created = await (await client()).webhooks.create(body, { signal });
    output.document(created, (style) => [
      `${style.green('Created')} ${created.id}`,
      `Secret: ${style.bold(created.secret)}`,
    ]);
    output.note(created.warning);
  },
});
