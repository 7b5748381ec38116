import { mayAnswer, numberIn } from './interactive.ts';

test.each([
  ['2', 2],
  [' 2 ', 2],
  ['\n2\u00A0', 2],
  ['2.', 2],
  ['2 )', 2],
  ['02', 2],
  ['10', 10],
  ['２', 2],
  ['１０．', 10],
  ['２。', 2],
  ['\u200F2\u200E', 2],
  ['2\uFE0F\u20E3', 2],
  ['②', 2],
  ['٢', 2],
  ['۱۰', 10],
  ['२', 2],
  ['𝟐', 2],
])('%j is a number', (text, number) => {
  expect(numberIn(text)).toBe(number);
});

test.each([
  '',
  ' ',
  '.',
  '100',
  '-1',
  '1.5',
  '1,5',
  '1 2',
  '1 and 2',
  '2 please',
  '2?',
  '²³ x',
  '½',
  'two',
  'Ⅱ',
  `2${'.'.repeat(3)}`,
])('%j is none', (text) => {
  expect(numberIn(text)).toBeNull();
});

test('a long text is none, whatever it consists of', () => {
  expect(numberIn(`2${'\u200B'.repeat(65_000)}`)).toBeNull();
});

test('every decimal digit has its value', () => {
  const digits = Array.from({ length: 0x11_0000 }, (_, code) => code)
    .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
    .map((code) => String.fromCodePoint(code))
    .filter((character) => /\p{Nd}/u.test(character));
  expect(digits.length % 10).toBe(0);
  expect(digits.map(numberIn)).toEqual(digits.map((_, index) => index % 10));
});

test.each([
  [0, true],
  [-120_000, true],
  [-120_001, false],
  [3_600_000, true],
])('what was written %i ms after a question: %j', (afterMs, may) => {
  const askedAt = new Date('2026-01-02T03:04:05Z');
  expect(mayAnswer(new Date(askedAt.getTime() + afterMs), askedAt)).toBe(may);
  expect(mayAnswer(null, askedAt)).toBe(true);
});
