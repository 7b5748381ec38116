import { expect, it } from '@jest/globals';
import { localTime } from './shown.ts';
import { styleOf } from './style.ts';
import { type Column, fieldLines, tableLines } from './table.ts';

interface Row {
  readonly id: string;
  readonly text: string | null;
}

const columns: Column<Row>[] = [
  { title: 'ID', cell: ({ id }) => id },
  { title: 'TEXT', cell: ({ text }) => text, shrinks: true },
];
const style = styleOf(false);
const id = 'msg_01912d68-783e-7a03-8467-5661c1243ad4';

it('cuts nothing in a pipe, and what may shrink on a terminal', () => {
  const rows = [{ id, text: 'a long text, longer than the terminal is wide' }];
  expect(tableLines(rows, columns, { style, width: null })).toEqual(['ID\tTEXT', `${id}\t${rows[0]?.text}`]);
  const [head, line] = tableLines(rows, columns, { style, width: 60 });
  expect(line).toBe(`${id}  a long text, long…`);
  expect(head).toBe(`ID${' '.repeat(40)}TEXT`);
});

it('never cuts an ID, however narrow the terminal is', () => {
  expect(tableLines([{ id, text: 'abcdefghij' }], columns, { style, width: 20 })[1]).toBe(id);
});

it('leaves out columns that have no room', () => {
  const lines = tableLines([{ id, text: 'abcdefghij' }], columns, { style, width: 45 });
  expect(lines).toEqual(['ID', id]);
});

it('aligns characters that take two columns', () => {
  const rows = [
    { id: '日本', text: 'a' },
    { id: 'abcd', text: 'b' },
  ];
  expect(tableLines(rows, columns, { style, width: 80 }, false)).toEqual(['日本  a', 'abcd  b']);
  expect(tableLines([{ id: 'a', text: '日本語日本語日本語' }], columns, { style, width: 12 }, false)).toEqual(
    ['a   日本語…'],
  );
});

it('shows no control characters, and nothing as a dash', () => {
  const rows = [{ id: 'a\u001b]0;title\u0007b', text: null }];
  expect(tableLines(rows, columns, { style, width: null }, false)).toEqual(['a ]0;title b\t–']);
  expect(
    fieldLines(
      [
        ['Name', 'a\nb\u202e'],
        ['Gone', null],
      ],
      style,
    ),
  ).toEqual(['Name  a b']);
});

it('colours a cell without moving the next column', () => {
  const painted: Column<Row>[] = [
    { title: 'ID', cell: ({ id: shown }) => shown, paint: styleOf(true).red },
    columns[1]!,
  ];
  const [line] = tableLines([{ id: 'a', text: 'b' }], painted, { style, width: 80 }, false);
  expect(line).toBe('\u001b[31ma\u001b[39m   b');
  const [piped] = tableLines([{ id: 'a', text: 'b' }], painted, { style, width: null }, false);
  expect(piped).toBe('\u001b[31ma\u001b[39m\tb');
});

it('makes no row of a pipe longer because another one has a long text', () => {
  const rows = [
    { id: 'a', text: 'x'.repeat(1_600) },
    { id: 'b', text: 'short' },
  ];
  expect(tableLines(rows, columns, { style, width: null }).at(-1)).toBe('b\tshort');
});

it('shows a time in full with its zone in a pipe, and in short on a terminal, whose title has the zone', () => {
  const timed: Column<Row>[] = [{ title: 'AT', cell: ({ text }) => text, isTime: true }];
  const now = new Date();
  const rows = [
    { id, text: now.toISOString() },
    { id, text: null },
  ];
  const zone = localTime(now.toISOString())?.slice(19);
  expect(tableLines(rows, timed, { style, width: null })).toEqual([
    'AT',
    expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d)$/),
    '–',
  ]);
  const [title = '', time = ''] = tableLines(rows, timed, { style, width: 80 });
  expect(title).toBe(`AT ${zone === 'Z' ? 'UTC' : zone?.replace(':00', '')}`);
  expect(time).toMatch(/^\d\d:\d\d:\d\d$/);
});
