import type { Notify } from '@notify/sdk';
import { localTime, paintStatus } from '../output/shown.ts';
import type { Style } from '../output/style.ts';
import { type Column, fieldLines } from '../output/table.ts';
import { filtersInWords } from './filters.ts';
import { packingInWords } from './packing.ts';

export type Webhook = Awaited<ReturnType<Notify['webhooks']['get']>>;

/** The columns of a table of webhooks. */
export function webhookColumns(style: Style): Column<Webhook>[] {
  return [
    { title: 'ID', cell: ({ id }) => id },
    { title: 'STATE', cell: ({ state }) => state, paint: paintStatus(style) },
    { title: 'URL', cell: ({ url }) => url, shrinks: true },
    { title: 'WAITING', cell: ({ waiting }) => waiting },
    { title: 'LAST', cell: ({ lastTriggeredAt }) => lastTriggeredAt, isTime: true },
    { title: 'EVENTS', cell: ({ events }) => events.join(', '), shrinks: true },
  ];
}

/** A webhook as labels and values. */
export function webhookLines(webhook: Webhook, style: Style): string[] {
  const { lastFailure } = webhook;
  return fieldLines(
    [
      ['ID', webhook.id],
      ['URL', webhook.url],
      ['Description', webhook.description],
      ['State', webhook.state],
      ['Disabled because', webhook.disabledReason],
      ['Events', webhook.events.join(', ')],
      ['Only', filtersInWords(webhook)],
      ['Packs', packingInWords(webhook)],
      ['Waiting', webhook.waiting],
      ['Failures in a row', webhook.failureCount],
      ['Failing since', localTime(webhook.failingSince)],
      [
        'Last failure',
        lastFailure && `${lastFailure.status ?? lastFailure.error} at ${localTime(lastFailure.at)}`,
      ],
      ['Next attempt', localTime(webhook.nextAttemptAt)],
      ['Last success', localTime(webhook.lastSuccessAt)],
      ['Last attempt', localTime(webhook.lastTriggeredAt)],
      ['Old secret until', localTime(webhook.previousSecretUntil)],
      [
        'Replay',
        webhook.replay && `at ${localTime(webhook.replay.reachedAt)} of ${localTime(webhook.replay.until)}`,
      ],
      ['Created', localTime(webhook.createdAt)],
    ],
    style,
  );
}
