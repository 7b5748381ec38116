import { percent, withShare } from './percent.ts';

test.each([
  [null, '–'],
  [0, '0%'],
  [0.00004, '<1%'],
  [0.00999, '<1%'],
  [0.01, '1%'],
  [0.014, '1.4%'],
  [0.973, '97.3%'],
  [0.99996, '99.9%'],
  [1, '100%'],
])('the share %s is written as %s', (share, words) => {
  expect(percent(share)).toBe(words);
});

test('a count has its share of the whole beside it, and stands alone without a whole', () => {
  expect([
    withShare(2, 40),
    withShare(1_250, 1_500),
    withShare(0, 6),
    withShare(1, 300),
    withShare(0, 0),
  ]).toEqual(['2 (5%)', '1,250 (83.3%)', '0 (0%)', '1 (<1%)', '0']);
});
