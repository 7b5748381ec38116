import { accountLanes } from '@notify/core';
import type { Count, WaitingFigures } from '@notify/db/operations';
import type { TopFigures } from './figures.ts';
import { type Column, countText, type Paint, shortSpan, type Style, tableOf } from './layout.ts';

/** Due for so long, in ms, work is late. */
const lateMs = 60_000;

/** Waiting and due work by lane. Messages for later are in no lane yet, and in their own row. */
export function backlogLines({ sample }: TopFigures, width: number, paint: Paint): string[] {
  const columns: readonly Column[] = [
    { title: 'WAITING WORK' },
    { title: 'ALL', width: 7, side: 'right' },
    ...accountLanes.flatMap((lane) => [
      {
        title: `DUE ${lane.toUpperCase()}`,
        // DUE FAST and DUE SLOW are as wide; an owned lane has a longer name.
        width: `DUE ${lane}`.length,
        side: 'right' as const,
      },
      { title: 'OLDEST', width: 6, side: 'right' as const },
    ]),
  ];
  const rows = [
    rowOf('messages', sample?.figures.messages ?? null),
    rowOf('scheduled', scheduledFigures(sample?.figures.messagesScheduled ?? null)),
    rowOf('deliveries', sample?.figures.deliveries ?? null),
    rowOf('groups', sample?.figures.groups ?? null),
  ];
  return tableOf(columns, rows, width, paint);
}

/** Messages for later, as work that waits and is not due. */
function scheduledFigures(waiting: Count | null): WaitingFigures | null {
  return waiting === null ? null : { waiting, lanes: [] };
}

function rowOf(title: string, backlog: WaitingFigures | null): { cells: string[]; style: Style } {
  if (backlog === null) return { cells: [title, '?'], style: 'dim' };
  const cells = accountLanes.flatMap((wanted) => {
    const lane = backlog.lanes.find((one) => one.lane === wanted);
    if (lane === undefined) return ['-', '-'];
    return [countText(lane.due), lane.due.count === 0 ? '-' : shortSpan(lane.oldestMs)];
  });
  const isLate = backlog.lanes.some(({ oldestMs }) => oldestMs >= lateMs);
  return { cells: [title, countText(backlog.waiting), ...cells], style: isLate ? 'alarm' : 'plain' };
}
