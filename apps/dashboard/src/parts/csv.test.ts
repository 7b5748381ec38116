import { csvOf } from './csv.ts';

test('rows end with CRLF, after the mark of UTF-8', () => {
  expect(
    csvOf([
      ['id', 'text'],
      ['1', 'Grüße, жук'],
    ]),
  ).toBe('\uFEFFid,text\r\n1,"Grüße, жук"\r\n');
});

test.each([
  ['plain', 'plain'],
  ['', ''],
  ['say "yes"', '"say ""yes"""'],
  ['two\nlines', '"two\nlines"'],
  ['two\r\nlines', '"two\r\nlines"'],
  ['=HYPERLINK("http://a.example")', `"'=HYPERLINK(""http://a.example"")"`],
  ['+14155550123', "'+14155550123"],
  ['-1+1', "'-1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['  =1', "'  =1"],
  ['\t=1', "'\t=1"],
  ['a=b', 'a=b'],
])('the cell %j is written as %j', (text, written) => {
  expect(csvOf([[text]])).toBe(`\uFEFF${written}\r\n`);
});
