import { attemptsInWords } from './attempts-in-words.ts';

test.each([
  ['pending', 0, 5, 'No attempts, 5 left'],
  ['pending', 1, 4, '1 attempt, 4 left'],
  ['failed', 5, 0, '5 attempts'],
  ['expired', 0, 0, 'No attempts'],
] as const)('%s after %i attempts reads as what it is', (status, attempts, attemptsLeft, words) => {
  expect(attemptsInWords({ status, attempts, attemptsLeft })).toBe(words);
});
