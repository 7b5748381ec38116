import type { Notify } from '@notify/sdk';
import { contentOf } from '../messages/columns.ts';
import type { Output } from '../output/output.ts';
import { localTime, paintStatus } from '../output/shown.ts';
import { fieldLines, tableLines } from '../output/table.ts';
import { metadataText, tagsText } from '../send/labels.ts';

/** A group, as the SDK returns it. */
export type Group = Awaited<ReturnType<Notify['tenantGroups']['get']>>;

/** Shows a group with its routes. */
export function showGroup({ document, width }: Output, group: Group): void {
  const messageOf = (id: string | null) => group.messages.find((one) => one.messageId === id) ?? null;
  document(group, (style) => [
    ...fieldLines(
      [
        ['ID', group.id],
        ['Status', group.status],
        ['Verification', group.verificationId],
        ['Tags', tagsText(group.tags)],
        ['Metadata', metadataText(group.metadata)],
        ['Created', localTime(group.createdAt)],
        ['Scheduled', localTime(group.scheduledAt)],
        ['Next route', localTime(group.nextRouteAt)],
        ['Ended', localTime(group.endedAt)],
        ['Duplicate', group.deliveredTwice ? 'more than one of its messages was delivered' : null],
      ],
      style,
    ),
    '',
    ...tableLines(
      group.routes,
      [
        { title: 'CHANNEL', cell: ({ channel }) => channel },
        { title: 'TO', cell: ({ to }) => to },
        { title: 'MESSAGE', cell: ({ messageId }) => messageId },
        {
          title: 'STATUS',
          cell: ({ messageId }) => messageOf(messageId)?.status ?? null,
          paint: (text) => paintStatus(style)(text),
        },
        { title: 'ERROR', cell: ({ messageId }) => messageOf(messageId)?.errorCode ?? null },
        { title: 'LEFT FOR', cell: ({ leftFor }) => leftFor },
        { title: 'CONTENT', cell: ({ body, type }) => contentOf(body, type), shrinks: true },
      ],
      { style, width },
    ),
  ]);
}
