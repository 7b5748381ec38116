import { difference, layOut } from './layout.ts';

const sql = `
    with a as (
      select id, case when kind = 'x, (y' then 1
        else 2 end as one from things where ${'id = 1 or '.repeat(20)}id = $1
    ), b as (select 1)
    select * from a`;

const squeezed = (text: string): string => text.replaceAll(/\s+/g, ' ').trim();

test('a layout changes nothing but white space, and keeps lines short', () => {
  const lines = layOut(sql);
  expect(squeezed(lines.join('\n'))).toBe(squeezed(sql));
  expect(lines.filter((line) => line.length > 120)).toEqual([]);
  expect(lines.slice(0, 3)).toEqual(['with', '  a as (', "    select id, case when kind = 'x, (y' then 1"]);
});

test('a difference names the part, and knows parameters by their place alone', () => {
  const before = layOut('with a as (\nselect $1\nfrom t\n)\nselect $2');
  const after = layOut('with a as (\nselect $3\nfrom u\n)\nselect $4');
  expect(difference(before, after).map(({ kind, line }) => kind + line)).toEqual([
    '   a as (',
    '-    from t',
    '+    from u',
  ]);
});
