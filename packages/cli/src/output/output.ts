import { harmless, jsonText } from './plain.ts';
import { type Style, styleOf } from './style.ts';
import { type Column, fieldLines, tableLines } from './table.ts';

/** Where a command writes. Results go to standard output; everything that is said about them to standard error. */
export interface Output {
  /** True with `--json`: results are the JSON of the API, and nothing else is on standard output. */
  readonly json: boolean;
  /** Colours of standard output. */
  readonly style: Style;
  /** Columns of the terminal. Null if standard output is none. */
  readonly width: number | null;
  /** One result: a JSON document with `--json`, else these lines. */
  readonly document: (value: unknown, lines: (style: Style) => readonly string[]) => void;
  /** One item of a list or a stream without an end: a line of JSON with `--json`, else these lines. */
  readonly item: (value: unknown, lines: (style: Style) => readonly string[]) => void;
  /** Rows of a table, and `empty` on standard error if there are none. For people only. */
  readonly table: <Row>(
    rows: readonly Row[],
    columns: readonly Column<Row>[],
    options?: TableOptions,
  ) => void;
  /** Labels and values, one below the other. For people only. */
  readonly fields: (fields: Parameters<typeof fieldLines>[0]) => void;
  /** Text as it is: for scripts, such as that of the completion. */
  readonly raw: (text: string) => void;
  /** A message for the person, on standard error. */
  readonly note: (text: string) => void;
  /** A message that something is wrong and the command goes on, on standard error. */
  readonly warn: (text: string) => void;
  /** Colours of standard error. */
  readonly noteStyle: Style;
}

/** How a table is shown. */
export interface TableOptions {
  /** Default true. False: the rows go on below earlier ones. */
  readonly titles?: boolean;
  /** What is said if there is no row. */
  readonly empty?: string;
}

/** What Output needs of a stream of the process. */
export interface Terminal {
  readonly isTTY?: boolean;
  readonly columns?: number;
  write(text: string): unknown;
}

/** Where the output of a command goes, and in which form. */
export interface OutputOptions {
  readonly stdout: Terminal;
  readonly stderr: Terminal;
  readonly json: boolean;
  /** False with NO_COLOR. */
  readonly colours: boolean;
}

/** Opens the output of one command. */
export function openOutput({ stdout, stderr, json, colours }: OutputOptions): Output {
  const coloursOut = colours && stdout.isTTY === true;
  const coloursNote = colours && stderr.isTTY === true;
  const style = styleOf(coloursOut);
  const noteStyle = styleOf(coloursNote);
  const width = stdout.isTTY === true ? stdout.columns || 80 : null;
  const print = (lines: readonly string[]): void => {
    if (lines.length > 0) stdout.write(`${harmless(lines.join('\n'), coloursOut)}\n`);
  };
  const note = (text: string): void => void stderr.write(`${harmless(text, coloursNote)}\n`);
  return {
    json,
    style,
    width,
    document: (value, lines) => print(json ? [jsonText(value, 2)] : lines(style)),
    item: (value, lines) => print(json ? [jsonText(value)] : lines(style)),
    table(rows, columns, { titles = true, empty = 'None.' } = {}) {
      if (rows.length === 0 && titles) note(empty);
      else print(tableLines(rows, columns, { style, width }, titles));
    },
    fields: (fields) => print(fieldLines(fields, style)),
    raw: (text) => void stdout.write(text),
    note,
    warn: (text) => note(`${noteStyle.yellow('warning:')} ${text}`),
    noteStyle,
  };
}
