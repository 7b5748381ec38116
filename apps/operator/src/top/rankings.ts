import { formatId } from '@notify/core';
import type { BacklogFigures, Busy, Slow } from '@notify/db/operations';
import { plain, span } from '@notify/operations/explain';
import type { TopFigures } from './figures.ts';
import { countText, cut, cutStart, fit, type Paint, widthOf } from './layout.ts';

/** Tenants, accounts and webhooks: those with the most waiting work beside those whose oldest is most overdue. */
export function rankingLines(figures: TopFigures, lines: number, width: number, paint: Paint): string[] {
  const messages = figures.sample?.figures.messages ?? null;
  const deliveries = figures.sample?.figures.deliveries ?? null;
  return [
    ...ranking('TENANTS', 'tenants', messages, (id) => formatId('ten', id)),
    ...ranking('ACCOUNTS', 'subjects', messages, (id) => id),
    ...ranking('WEBHOOKS', 'subjects', deliveries, (id) => formatId('wh', id)),
  ];

  function ranking(
    title: string,
    of: 'subjects' | 'tenants',
    backlog: BacklogFigures | null,
    idOf: (id: string) => string,
  ): string[] {
    const half = Math.floor((width - 2) / 2);
    const busiest = backlog?.busiest[of] ?? [];
    const slowest = backlog?.slowest[of] ?? [];
    const count = Math.max(1, Math.min(lines, Math.max(busiest.length, slowest.length)));
    const named = (one: Busy | Slow): string =>
      nameAndId(figures.byId.get(one.id) ?? 'removed', idOf(one.id), half - figureWidth);
    const pair = (left: readonly [string, string], right: readonly [string, string]): string =>
      `${entry(left, half)}  ${entry(right, half)}`;
    const rows = Array.from({ length: count }, (_, index) => {
      const [busy, slow] = [busiest[index], slowest[index]];
      return pair(
        busy === undefined ? [index === 0 ? '-' : '', ''] : [named(busy), countText(busy.waiting)],
        slow === undefined ? [index === 0 ? '-' : '', ''] : [named(slow), span(slow.oldestMs)],
      );
    });
    return [
      paint(pair([`BUSIEST ${title}`, 'WAITING'], [`SLOWEST ${title}`, 'OLDEST DUE']), 'title'),
      ...rows.map((row) => paint(row, 'plain')),
    ];
  }
}

const figureWidth = 11;
/** Below this many columns for a name, only the end of the id is shown, which is random. */
const leastName = 12;
const idEnd = 12;

/** A URL that does not fit beside the whole id takes more of its place, and keeps its end: paths differ, hosts seldom do. */
function nameAndId(name: string, id: string, width: number): string {
  const isUrl = /^https?:\/\//.test(name);
  const shown = plain(name.replace(/^https?:\/\//, ''));
  const space = width - id.length - 2;
  if (space >= leastName && (!isUrl || widthOf(shown) <= space)) return `${fit(shown, space)} ${id}`;
  const more = width - idEnd - 3;
  return `${fit(isUrl ? cutStart(shown, more) : shown, more)} …${id.slice(-idEnd)}`;
}

function entry([name, figure]: readonly [string, string], width: number): string {
  return `${fit(cut(name, width - figureWidth), width - figureWidth)}${fit(figure, figureWidth, 'right')}`;
}
