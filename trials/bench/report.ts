import { type Spread, spreadOf } from '../kit/statistics.ts';

/** The target of a figure. */
export type Target = { readonly atLeast: number } | { readonly atMost: number };

/** One line of the table. */
export interface Figure {
  readonly row: string;
  readonly figure: string;
  readonly value: number;
  readonly unit: string;
  /** Null where the figure has no target. */
  readonly target: Target | null;
  /** The measurements behind it, by name. */
  readonly parts: Readonly<Record<string, Spread | number>>;
}

/** A figure that divides one median by another. */
export function ratio(
  row: string,
  [overName, over]: readonly [string, readonly number[]],
  [underName, under]: readonly [string, readonly number[]],
  target: Target | null,
): Figure {
  const [a, b] = [spreadOf(over), spreadOf(under)];
  const parts = { [overName]: a, [underName]: b };
  return { row, figure: `${overName} ÷ ${underName}`, value: a.median / b.median, unit: '', target, parts };
}

/** A figure that is the median of its measurements. */
export function plain(
  row: string,
  figure: string,
  values: readonly number[],
  unit: string,
  target: Target | null = null,
): Figure {
  const spread = spreadOf(values);
  const parts = values.length > 1 ? { measured: spread } : {};
  return { row, figure, value: spread.median, unit, target, parts };
}

/** `met`, `below target`, or empty where there is no target. A figure that is NaN counts as below target. */
export function verdict({ value, target }: Figure): '' | 'met' | 'below target' {
  if (target === null) return '';
  const met = 'atLeast' in target ? value >= target.atLeast : value <= target.atMost;
  return met ? 'met' : 'below target';
}

/** The figures as a text table. */
export function table(figures: readonly Figure[]): string {
  const lines = figures.map((one) => [
    one.row,
    one.figure,
    `${round(one.value)} ${one.unit}`.trim(),
    one.target === null ? '' : 'atLeast' in one.target ? `≥ ${one.target.atLeast}` : `≤ ${one.target.atMost}`,
    verdict(one),
    Object.entries(one.parts).map(describe).join(', '),
  ]);
  const all = [['row', 'figure', 'value', 'target', '', 'median (min–max)'], ...lines];
  const widths = all[0]!.map((_, column) => Math.max(...all.map((line) => line[column]!.length)));
  return all
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

function describe([name, part]: [string, Spread | number]): string {
  if (typeof part === 'number') return `${name} ${round(part)}`;
  if (part.least === part.most) return `${name} ${round(part.median)}`;
  return `${name} ${round(part.median)} (${round(part.least)}–${round(part.most)})`;
}

/** Rounds to three significant digits, and to whole numbers from 100 on. */
function round(value: number): string {
  if (!Number.isFinite(value)) return '–';
  return Math.abs(value) >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}
