import { plain } from '@notify/operations/explain';

/** How a piece of a frame looks. */
export type Style = 'plain' | 'title' | 'dim' | 'alarm';

/** Gives text a style; without colours it returns the text. */
export type Paint = (text: string, style: Style) => string;

export const unpainted: Paint = (text) => text;

const codes: Readonly<Record<Exclude<Style, 'plain'>, string>> = { title: '1', dim: '2', alarm: '1;31' };

/** Select Graphic Rendition (ECMA-48, 8.3.117). */
export const painted: Paint = (text, style) =>
  style === 'plain' || text === '' ? text : `\u001b[${codes[style]}m${text}\u001b[0m`;

const zero = /^\p{M}$/u;
const double =
  /^(\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}|\p{Emoji_Presentation})$/u;

/** The columns of a terminal that the text takes: East Asian letters and emoji take two (Unicode, UAX 11). */
export function widthOf(text: string): number {
  let width = 0;
  for (const letter of text) width += zero.test(letter) ? 0 : double.test(letter) ? 2 : 1;
  return width;
}

/** The text in exactly `width` columns: filled with spaces, or cut and marked with `…`. */
export function fit(text: string, width: number, side: 'left' | 'right' = 'left'): string {
  const fitting = cut(text, width);
  const space = ' '.repeat(Math.max(0, width - widthOf(fitting)));
  return side === 'left' ? fitting + space : space + fitting;
}

/** The text in at most `width` columns. */
export function cut(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let [kept, used] = ['', 0];
  for (const letter of text) {
    used += widthOf(letter);
    if (used > width - 1) break;
    kept += letter;
  }
  return width <= 0 ? '' : `${kept}…`;
}

/** The end of the text in at most `width` columns. */
export function cutStart(text: string, width: number): string {
  if (widthOf(text) <= width) return text;
  let kept = '';
  for (const letter of Array.from(text).toReversed()) {
    if (widthOf(letter + kept) > width - 1) break;
    kept = letter + kept;
  }
  return width <= 0 ? '' : `…${kept}`;
}

/** A column of a table. The one without `width` takes what the others leave. */
export interface Column {
  readonly title: string;
  readonly width?: number;
  readonly side?: 'left' | 'right';
}

/** A table in `width` columns: its titles, then a line for each row. */
export function tableOf(
  columns: readonly Column[],
  rows: readonly { readonly cells: readonly string[]; readonly style?: Style }[],
  width: number,
  paint: Paint,
): string[] {
  const fixed = columns.reduce((sum, column) => sum + (column.width ?? 0), 0);
  const rest = Math.max(4, width - fixed - (columns.length - 1));
  const line = (cells: readonly string[]): string =>
    cut(
      columns
        .map(({ width: own = rest, side }, index) => fit(plain(cells[index] ?? ''), own, side))
        .join(' '),
      width,
    );
  return [
    paint(line(columns.map(({ title }) => title)), 'title'),
    ...rows.map(({ cells, style = 'plain' }) => paint(line(cells), style)),
  ];
}

/** A count in at most 6 columns: `1,234`, `56.7k`, `1.2M`. `isEstimate` puts a `~` before it. */
export function countText({
  count,
  isEstimate,
}: {
  readonly count: number;
  readonly isEstimate: boolean;
}): string {
  const mark = isEstimate ? '~' : '';
  if (count < 10_000) return `${mark}${count.toLocaleString('en')}`;
  return `${mark}${count < 1_000_000 ? `${(count / 1_000).toFixed(1)}k` : `${(count / 1_000_000).toFixed(1)}M`}`;
}

/** A size: `96 MB`. */
export function sizeText(bytes: number): string {
  return bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
}

/** A rate: `0`, `0.4`, `12`, `1,234`. */
export function rateText(rate: number): string {
  return rate === 0 ? '0' : rate < 10 ? rate.toFixed(1) : Math.round(rate).toLocaleString('en');
}

const spans = [
  [172_800_000, 86_400_000, 'd'],
  [7_200_000, 3_600_000, 'h'],
  [100_000, 60_000, 'min'],
  [9_950, 1_000, 's'],
] as const;

/** A length of time in at most 6 columns: `3.4 s`, `40 s`, `12 min`, `5 h`, `9 d`. */
export function shortSpan(ms: number): string {
  const [, unitMs, unit] = spans.find(([fromMs]) => ms >= fromMs) ?? [0, 0, ''];
  return unitMs === 0 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / unitMs)} ${unit}`;
}
