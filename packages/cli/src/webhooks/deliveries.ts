import { defineCommand } from '../command.ts';
import { idArgument } from '../ids.ts';
import { kinds } from '../kinds.ts';
import { given } from '../given.ts';
import { choice, flag } from '../options.ts';
import { pageOptions, showPages } from '../output/pages.ts';
import { paintStatus } from '../output/shown.ts';

export const listDeliveries = defineCommand({
  name: 'webhooks deliveries',
  summary: 'List the deliveries of a webhook, newest first.',
  arguments: { id: idArgument(kinds.webhook) },
  options: {
    state: choice('<state>', ['waiting', 'delivered', 'failed', 'skipped'], 'Only deliveries in this state.'),
    failedSoFar: flag('Only deliveries that had an attempt, none of which succeeded.'),
    ...pageOptions,
  },
  examples: [
    { does: 'What did not get through', line: 'webhooks deliveries wh_01912d68-… --state failed' },
    {
      does: 'The answers of your receiver',
      line: `webhooks deliveries wh_01912d68-… --failed-so-far --json | jq '.data[].attempts'`,
    },
  ],
  async run(context, { id, state, failedSoFar, ...page }) {
    const { client, output, signal } = context;
    const notify = await client();
    const filters = given({ state, failedSoFar: failedSoFar || undefined });
    const columns = [
      { title: 'ID', cell: ({ id: deliveryId, packId }: Delivery) => packId ?? deliveryId },
      { title: 'CREATED', cell: ({ createdAt }: Delivery) => createdAt, isTime: true },
      { title: 'TO', cell: ({ recipient }: Delivery) => recipient },
      { title: 'EVENT', cell: eventOf },
      { title: 'STATE', cell: ({ state: shown }: Delivery) => shown, paint: paintStatus(output.style) },
      { title: 'TRIES', cell: ({ attempts }: Delivery) => attempts.length },
      { title: 'LAST ANSWER', cell: lastAnswer, shrinks: true },
    ];
    await showPages(
      context,
      page,
      (at) => notify.webhooks.listDeliveries(id, { ...filters, ...at }, { signal }),
      {
        columns,
        empty: 'No deliveries.',
      },
    );
  },
});

interface Delivery {
  readonly id: string;
  readonly createdAt: string;
  readonly event: string | null;
  readonly packId: string | null;
  readonly eventCount: number;
  readonly recipient: string | null;
  readonly state: string;
  readonly attempts: readonly Attempt[];
}

interface Attempt {
  readonly status: number | null;
  readonly error: string | null;
  readonly durationMs: number;
}

/** A pack is one line, with the number of its events. */
function eventOf({ event, eventCount }: Delivery): string | null {
  return eventCount === 1 ? event : `${eventCount} events`;
}

function lastAnswer({ attempts }: Delivery): string | null {
  const last = attempts.at(-1);
  return last === undefined ? null : `${last.status ?? last.error} in ${last.durationMs} ms`;
}
