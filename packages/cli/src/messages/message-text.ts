import type { Notify } from '@notify/sdk';
import type { Output } from '../output/output.ts';
import { localTime, paintStatus } from '../output/shown.ts';
import { fieldLines, tableLines } from '../output/table.ts';
import { metadataText, tagsText } from '../send/labels.ts';
import { contentOf } from './columns.ts';
import { timelineRows } from './timeline.ts';

/** A message with its timeline, as the SDK returns it. */
export type Message = Awaited<ReturnType<Notify['tenantMessages']['get']>>;

/** How a message is shown. */
interface ShownWith {
  /** Whether each delivery to a webhook has its own row. Default: one result for each event. */
  readonly deliveries?: boolean;
}

/** Shows a message with its timeline. */
export function showMessage(
  { document, width }: Output,
  message: Message,
  { deliveries = false }: ShownWith = {},
): void {
  document(message, (style) => [
    ...fieldLines(fieldsOf(message), style),
    '',
    ...tableLines(
      timelineRows(message.timeline, deliveries),
      [
        { title: 'TIME', cell: ({ at }) => localTime(at) },
        { title: 'WHAT', cell: ({ what }) => what },
        {
          title: 'RESULT',
          cell: ({ result }) => result,
          paint: (text) => paintStatus(style)(text),
          shrinks: true,
        },
      ],
      { style, width },
    ),
  ]);
}

function fieldsOf(message: Message): Parameters<typeof fieldLines>[0] {
  return [
    ['ID', message.messageId],
    ['Status', message.status],
    ['Error', message.error === null ? null : `${message.error} (${message.errorCode})`],
    ['Channel', message.provider],
    ['Account', message.accountName],
    ['To', message.to],
    ['Content', contentOf(message.body, message.type)],
    ['Created', localTime(message.createdAt)],
    ['Scheduled', localTime(message.scheduledAt)],
    ['Urgent', message.urgent ? 'yes' : null],
    ['Sent', localTime(message.sentAt)],
    ['Delivered', localTime(message.deliveredAt)],
    ['Read', localTime(message.readAt)],
    ['Failed', localTime(message.failedAt)],
    ['Next attempt', localTime(message.nextAttemptAt)],
    ['Provider ID', message.externalId],
    ['Group', message.groupId],
    ['Tags', tagsText(message.tags)],
    ['Metadata', metadataText(message.metadata)],
    ['API key', message.apiKeyId],
    ['Idempotency key', message.idempotencyKey],
    ['Resend of', message.resendOf],
    ['Resent as', message.resentAs],
    ['Duplicate', message.possibleDuplicate ? 'possible: it was sent again after an unknown outcome' : null],
  ];
}
