import { Problem } from '../problems/problem.ts';
import { readBrand } from './brand.ts';

test.each([
  ['ASCII digits', '1234'],
  ['digits within words', 'Agent0007'],
  ['full-width digits', '１２３４'],
  ['Arabic-Indic digits', '١٢٣٤'],
  ['extended Arabic-Indic digits', '۱۲۳۴'],
  ['Devanagari digits', '१२३४'],
  ['digits of several scripts', '1２٣४'],
  ['mathematical digits', '𝟏𝟐𝟑𝟒'],
  ['circled digits', '①②③④'],
  ['negative circled digits', '❶❷❸❹'],
  ['superscripts', '¹²³⁴'],
  ['keycaps', '1\u{fe0f}\u{20e3}2\u{fe0f}\u{20e3}3\u{fe0f}\u{20e3}4\u{fe0f}\u{20e3}'],
  ['spaces', '1 2 3 4'],
  ['two groups', 'Acme 12 34'],
  ['no-break and ideographic spaces', '1\u{a0}2\u{3000}3\u{2009}4'],
  ['dots, commas and dashes', '1.2,3-4'],
  ['several signs', '1 - 2 / 3 :: 4'],
  ['emoji', '1😀2😀3😀4'],
  ['ten digits', '0123456789'],
  ['invisible letters', '1\u{3164}2\u{1160}3\u{ffa0}4'],
  ['long vowels', '1ー2ー3ー4'],
  ['half-width long vowels', '１ｰ２ｰ３ｰ４'],
  ['tatweels', '١ـ٢ـ٣ـ٤'],
  ['Chinese digits', '一二三四'],
  ['Japanese digits', '壱弐参 四'],
])('%s are refused', (_what, brand) => {
  expect(() => readBrand(brand)).toThrow(Problem);
});

test.each([
  ['zero-width spaces', '1\u{200b}2\u{200b}3\u{200b}4'],
  ['a line break', 'a\nb'],
  ['the mask', 'Acme •'],
  ['a space at the end', 'Acme '],
  ['an ideographic space at the beginning', '\u{3000}Acme'],
])('%s: refused', (_what, brand) => {
  expect(() => readBrand(brand)).toThrow(Problem);
});

test.each([
  'Acme',
  'Studio 54',
  '3M',
  'Agent 007',
  'Über 24/7',
  '4ever2gether4u2',
  '株式会社',
  'スーパー24',
  '三一重工',
  'Ⅷ Club',
  '1a2b3c4d',
])('%s is taken as it is', (brand) => {
  expect(readBrand(brand)).toBe(brand);
});

test('none is none', () => {
  expect(readBrand(undefined)).toBeNull();
});
