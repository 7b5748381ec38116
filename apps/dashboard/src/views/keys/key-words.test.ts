import { limitInWords } from './key-words.ts';

test('a limit is per minute', () => {
  expect([null, 10_000].map(limitInWords)).toEqual(['Default', '10,000 per minute']);
});
