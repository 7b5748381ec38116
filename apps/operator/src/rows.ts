import { safeLine } from './safe-text.ts';

/** One line of name and value for each field. */
export function list(row: object): string {
  const width = Math.max(...Object.keys(row).map((name) => name.length));
  return Object.entries(row)
    .map(([name, value]) => `${name.padEnd(width)}  ${shown(value)}`)
    .join('\n');
}

/** One line for each row, below the names of the columns. All rows have the same columns. */
export function table(rows: readonly object[]): string {
  const columns = Object.keys(rows[0] ?? {});
  const cells = [columns, ...rows.map((row) => Object.values(row).map(shown))];
  const widths = columns.map((_, index) => Math.max(...cells.map((line) => line[index]?.length ?? 0)));
  const lineOf = (line: readonly string[]) =>
    line.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join('  ');
  return cells.map((line) => lineOf(line).trimEnd()).join('\n');
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  return safeLine(typeof value === 'string' ? value : JSON.stringify(value));
}
