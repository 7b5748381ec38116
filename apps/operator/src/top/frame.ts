import { backlogLines } from './backlog.ts';
import type { TopFigures } from './figures.ts';
import { headLines } from './head.ts';
import { cut, type Paint, type Style } from './layout.ts';
import { processLines } from './processes.ts';
import { rankingLines } from './rankings.ts';

/** Where a frame is drawn. */
export interface Surface {
  readonly columns: number;
  /** Null for a frame as long as it takes, as for a file. */
  readonly rows: number | null;
  readonly paint: Paint;
}

/** The fewest columns that a frame is made for. Narrower terminals show its left part. */
const fewestColumns = 80;
/** Each ranking shows at least one line, and at most this many. */
const mostRanked = 5;

/**
 * One frame: rates, what waits in each lane, the busiest tenants, accounts and webhooks, and the processes. Never has more
 * lines than the surface. Pure.
 */
export function frameOf(figures: TopFigures, { columns, rows, paint }: Surface): string[] {
  const width = Math.max(fewestColumns, columns);
  // The lines are cut to a narrow terminal before they are painted, because the codes of colours take no place.
  const cutting: Paint = (text: string, style: Style) => paint(cut(text, columns), style);
  const head = [
    ...headLines(figures, rows === null ? null : 'q quits', width, cutting),
    '',
    ...backlogLines(figures, width, cutting),
  ];
  const processes = processLines(figures, width, cutting);
  const ranked = rows === null ? mostRanked : rankedIn(rows - head.length - 2 - processes.length);
  const rankings = rankingLines(figures, ranked, width, cutting);
  const lines = [...head, '', ...rankings, '', ...processes];
  if (rows === null || lines.length <= rows) return lines;
  const hidden = lines.length - rows + 1;
  return [...lines.slice(0, rows - 1), cutting(`… ${hidden} more lines: make the window higher`, 'dim')];
}

/** How many lines each of the three rankings may have in `lines`, below their titles. */
function rankedIn(lines: number): number {
  return Math.max(1, Math.min(mostRanked, Math.floor(lines / 3) - 1));
}
