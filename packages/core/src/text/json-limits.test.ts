import { exceededJsonLimit } from './json-limits.ts';

const exceeded = (text: string, values: number, contentBytes = 10_000) =>
  exceededJsonLimit(Buffer.from(text), { values, contentBytes });

/** Counts values by a walk through the parsed value. */
function walked(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + walked(inner), 1);
}

test.each([
  '[1]',
  ' "a,b[c{" ',
  '"\\"[1,2,3]\\\\"',
  '[]',
  '{ \n\t}',
  '[[],[ ],{}]',
  '[[[[]]]]',
  '["a","b",["c"]]',
  '{"a":1,"b":[1,2,{"c":null}],"d\\\\":"\\u005b[,"}',
  '["é😀,","[",",",{"\\"":[]}]',
])('%s holds as many values as the parser makes of it', (text) => {
  const value: unknown = JSON.parse(text);
  const values = walked(value);
  for (const spelled of [text, JSON.stringify(value, null, 4)]) {
    expect([exceeded(spelled, values), exceeded(spelled, values - 1)]).toEqual([null, 'values']);
  }
});

test.each(['', '"\\', '{"a', ']]]]', ' '])('%p, which is no JSON, holds nothing', (text) => {
  expect(exceeded(text, 2)).toBeNull();
});

test.each(['['.repeat(100), ','.repeat(100), '""'.repeat(100), '{"a":'.repeat(100)])(
  '%p, which is no JSON, holds too much',
  (text) => expect(exceeded(text, 20)).toBe('values'),
);

test.each([
  ['', 2],
  ['x'.repeat(8), 10],
  ['é😀', 8],
  ['\\n\\"\\\\', 5],
  ['\\u00e9', 4],
  ['\\ud83d\\ude00', 6],
])('the content of a text of %s has %i bytes, however it is escaped', (text, bytes) => {
  const spelled = `"${text}"`;
  expect([exceeded(spelled, 9, bytes), exceeded(spelled, 9, bytes - 1)]).toEqual([null, 'contentBytes']);
});

test('a text that ends within an escape is judged too', () => {
  expect(exceeded('"\\u00', 9)).toBeNull();
  expect(exceeded('"\\', 9)).toBeNull();
});
