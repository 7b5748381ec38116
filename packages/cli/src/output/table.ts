import truncatedWidth from 'fast-string-truncated-width';
import { plain } from './plain.ts';
import { localTime, shortTime, shortZone } from './shown.ts';
import type { Style } from './style.ts';

/** A column of a table. */
export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => Cell;
  /** How a cell is coloured. */
  readonly paint?: (text: string, row: Row) => string;
  /** True if the cell is a time of the API. A terminal shows it in short, everything else in full. */
  readonly isTime?: boolean;
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
/** Between the columns where nothing is aligned, so that a long cell makes no other row longer. */
const separator = '\t';
const leastWidth = 8;
/** An empty cell. */
const nothing = '–';

/**
 * The lines of a table: columns of equal width on a terminal, cells with a tab between them elsewhere. Without `titles` the
 * head is left out.
 */
export function tableLines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  { style, width }: TableTarget,
  titles = true,
): string[] {
  const texts = columns.map(({ cell, isTime }) => {
    const timeOf = width === null ? localTime : (at: string) => shortTime(at);
    return rows.map((row) => textOf(isTime === true ? timedBy(timeOf, cell(row)) : cell(row)));
  });
  if (width === null) return separatedLines(rows, columns, texts, style, titles);
  const wanted = columns.map((column, at) =>
    Math.max(titleOf(column).length, ...(texts[at] ?? []).map(widthOf)),
  );
  const widths = fit(wanted, columns, width);
  const shown = columns.slice(0, widths.length);
  const line = (cells: readonly string[], paint: (text: string, at: number) => string): string =>
    cells
      .map((cell, at) => {
        const cut = cutTo(cell, widths[at] ?? 0);
        return paint(cut, at) + ' '.repeat((widths[at] ?? 0) - widthOf(cut));
      })
      .join(gap)
      .trimEnd();
  const titleCells = shown.map(titleOf);
  const body = rows.map((row, index) =>
    line(
      shown.map((_, at) => texts[at]?.[index] ?? ''),
      (text, at) => (text === nothing ? text : (shown[at]?.paint?.(text, row) ?? text)),
    ),
  );
  return titles ? [line(titleCells, style.dim), ...body] : body;
}

/** The lines of a table in a pipe: nothing is cut, and nothing is filled with spaces. */
function separatedLines<Row>(
  rows: readonly Row[],
  columns: readonly Column<Row>[],
  texts: readonly (readonly string[])[],
  style: Style,
  titles: boolean,
): string[] {
  const body = rows.map((row, index) =>
    columns
      .map(({ paint }, at) => {
        const text = texts[at]?.[index] ?? '';
        return text === nothing ? text : (paint?.(text, row) ?? text);
      })
      .join(separator),
  );
  return titles ? [style.dim(columns.map(({ title }) => title).join(separator)), ...body] : body;
}

/** On a terminal, the title of a column of short times says their time zone. */
function titleOf({ title, isTime }: Pick<Column<never>, 'title' | 'isTime'>): string {
  return isTime === true ? `${title} ${shortZone()}` : title;
}

type Cell = string | number | null | undefined;

function timedBy(timeOf: (instant: string) => string | null, cell: Cell): Cell {
  return typeof cell === 'string' ? timeOf(cell) : cell;
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

function textOf(cell: Cell): string {
  return cell === null || cell === undefined || cell === '' ? nothing : plain(String(cell));
}

function widthOf(text: string): number {
  return truncatedWidth(text).width;
}

function cutTo(text: string, width: number): string {
  const { index, truncated } = truncatedWidth(text, { limit: width, ellipsis: '…', ellipsisWidth: 1 });
  return truncated ? `${text.slice(0, index)}…` : text;
}
