import type { Notify } from '@notify/sdk';
import type { Output } from '../output/output.ts';
import { localTime, paintStatus } from '../output/shown.ts';
import { fieldLines, tableLines } from '../output/table.ts';
import { contentOf } from './columns.ts';

/** A message with its timeline, as the SDK returns it. */
export type Message = Awaited<ReturnType<Notify['tenantMessages']['get']>>;
type TimelineEntry = Message['timeline'][number];

/** Shows a message with its timeline. */
export function showMessage({ document, width }: Output, message: Message): void {
  document(message, (style) => [
    ...fieldLines(
      [
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
        ['API key', message.apiKeyId],
        ['Idempotency key', message.idempotencyKey],
        ['Resend of', message.resendOf],
        ['Resent as', message.resentAs],
        [
          'Duplicate',
          message.possibleDuplicate ? 'possible: it was sent again after an unknown outcome' : null,
        ],
      ],
      style,
    ),
    '',
    ...tableLines(
      message.timeline,
      [
        { title: 'TIME', cell: ({ at }) => localTime(at) },
        { title: 'WHAT', cell: whatOf },
        { title: 'RESULT', cell: resultOf, paint: (text) => paintStatus(style)(text), shrinks: true },
      ],
      { style, width },
    ),
  ]);
}

function whatOf(entry: TimelineEntry): string {
  switch (entry.kind) {
    case 'event':
      return entry.event;
    case 'attempt':
      return `attempt ${entry.number}${entry.part > 0 ? ` of part ${entry.part + 1}` : ''}`;
    case 'receipt':
      return 'delivery receipt';
    case 'delivery':
      return `webhook ${entry.event}`;
  }
}

function resultOf(entry: TimelineEntry): string | null {
  switch (entry.kind) {
    case 'event':
      return null;
    case 'attempt':
      return worded(entry.outcome ?? 'in progress', entry.providerCode, entry.text);
    case 'receipt':
      return worded(entry.status, entry.providerCode, entry.text);
    case 'delivery':
      return worded(entry.state, entry.lastAttempt?.status ?? entry.lastAttempt?.error, entry.url);
  }
}

function worded(...words: (string | number | null | undefined)[]): string {
  return words.filter((word) => word !== null && word !== undefined && word !== '').join(' ');
}
