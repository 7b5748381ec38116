import { expect, it } from '@jest/globals';
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
  expect(tableLines(rows, columns, { style, width: null })[1]).toBe(`${id}  ${rows[0]?.text}`);
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
  expect(tableLines(rows, columns, { style, width: null }, false)).toEqual(['日本  a', 'abcd  b']);
  expect(tableLines([{ id: 'a', text: '日本語日本語日本語' }], columns, { style, width: 12 }, false)).toEqual(
    ['a   日本語…'],
  );
});

it('shows no control characters, and nothing as a dash', () => {
  const rows = [{ id: 'a\u001b]0;title\u0007b', text: null }];
  expect(tableLines(rows, columns, { style, width: null }, false)).toEqual(['a ]0;title b  –']);
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
  const [line] = tableLines([{ id: 'a', text: 'b' }], painted, { style, width: null }, false);
  expect(line).toBe('\u001b[31ma\u001b[39m   b');
});
