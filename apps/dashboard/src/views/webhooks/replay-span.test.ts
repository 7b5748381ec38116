import { replayProgress } from './replay-span.ts';

test.each([
  [0, 0, 10, 0],
  [0, 5, 10, 0.5],
  [0, 20, 10, 1],
  [5, 0, 10, 0],
  [10, 10, 10, 0],
])('a replay from %d that has reached %d of %d is done to %d', (from, reached, until, done) => {
  expect(replayProgress(from, reached, until)).toBe(done);
});
