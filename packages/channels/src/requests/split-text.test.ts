import { splitText } from './split-text.ts';

test.each([
  ['a'.repeat(10), [10], 1],
  ['a'.repeat(11), [10, 1], 2],
  ['ж'.repeat(21), [10, 10, 1], 3],
  [`${'a'.repeat(9)}😀😀`, [9, 4], 2],
])('%s', (text, lengths, segments) => {
  const split = splitText(text, 10, 'readable');
  expect(split.texts.map(({ length }) => length)).toEqual(lengths);
  expect(split.texts.join('')).toBe(text);
  expect(split.segments).toBe(segments);
});

test('counts the segments of each text', () => {
  expect(splitText('a'.repeat(1600), 1600, 'readable')).toMatchObject({ segments: 11 });
  expect(splitText('a'.repeat(1601), 1600, 'readable')).toMatchObject({ segments: 12 });
  expect(splitText('ж'.repeat(1600), 1600, 'readable')).toMatchObject({ segments: 24 });
});
