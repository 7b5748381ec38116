import truncatedWidth from 'fast-string-truncated-width';
import { plain } from './plain.ts';
import type { Style } from './style.ts';

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => string | number | null | undefined;
  /** How a cell is coloured. */
  readonly paint?: (text: string, row: Row) => string;
  /** True if the column gives way where the terminal is narrow. IDs never do, because people copy them. */
  readonly shrinks?: boolean;
}

/** Where a table goes. */
export interface TableTarget {
  readonly style: Style;
  /** Columns of the terminal. Null: not a terminal, so nothing is cut. */
  readonly width: number | null;
}

const gap = '  ';
const leastWidth = 8;

/** The lines of a table. Without `titles` the head is left out. */
export function tableLines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { style, width }: TableTarget,
  titles = true,
): string[] {
  const texts = columns.map(({ cell }) => rows.map((row) => textOf(cell(row))));
  const wanted = columns.map(({ title }, at) => Math.max(title.length, ...(texts[at] ?? []).map(widthOf)));
  const widths = width === null ? wanted : fit(wanted, columns, width);
  const shown = columns.slice(0, widths.length);
  const line = (cells: readonly string[], paint: (text: string, at: number) => string): string =>
    cells
      .map((cell, at) => {
        const cut = cutTo(cell, widths[at] ?? 0);
        return paint(cut, at) + ' '.repeat((widths[at] ?? 0) - widthOf(cut));
      })
      .join(gap)
      .trimEnd();
  const titleCells = shown.map(({ title }) => title);
  const body = rows.map((row, index) =>
    line(
      shown.map((_, at) => texts[at]?.[index] ?? ''),
      (text, at) => shown[at]?.paint?.(text, row) ?? text,
    ),
  );
  return titles ? [line(titleCells, style.dim), ...body] : body;
}

/** Lines of labels and values, one below the other. */
export function fieldLines(
  fields: readonly (readonly [label: string, value: string | number | boolean | null | undefined])[],
  style: Style,
): string[] {
  const shown = fields.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const width = Math.max(0, ...shown.map(([label]) => label.length));
  return shown.map(([label, value]) => `${style.dim(label.padEnd(width))}${gap}${plain(String(value))}`);
}

/**
 * The widths with which the table fits. Columns that do not fit even when the others shrink are left out, from the right.
 * Then the widest of those that may shrink give way.
 */
function fit<Row>(wanted: readonly number[], columns: readonly Column<Row>[], width: number): number[] {
  const least = wanted.map((one, at) => (columns[at]?.shrinks === true ? Math.min(one, leastWidth) : one));
  let count = wanted.length;
  while (count > 1 && totalOf(least.slice(0, count)) > width) count -= 1;
  const widths = wanted.slice(0, count);
  while (totalOf(widths) > width) {
    const room = widths.map((one, at) => (one > (least[at] ?? one) ? one : 0));
    const widest = room.indexOf(Math.max(...room));
    if ((room[widest] ?? 0) === 0) return widths;
    widths[widest] = (widths[widest] ?? 0) - 1;
  }
  return widths;
}

function totalOf(widths: readonly number[]): number {
  return widths.reduce((sum, one) => sum + one, 0) + gap.length * (widths.length - 1);
}

function textOf(cell: string | number | null | undefined): string {
  return cell === null || cell === undefined || cell === '' ? '–' : plain(String(cell));
}

function widthOf(text: string): number {
  return truncatedWidth(text).width;
}

function cutTo(text: string, width: number): string {
  const { index, truncated } = truncatedWidth(text, { limit: width, ellipsis: '…', ellipsisWidth: 1 });
  return truncated ? `${text.slice(0, index)}…` : text;
}
