import { fromLocalInput, replayProgress, toLocalInput } from './replay-span.ts';

test('an instant survives an input, to the minute', () => {
  const at = new Date('2026-03-29T12:34:00.000Z');
  expect(fromLocalInput(toLocalInput(at))).toEqual(at);
});

test.each(['', 'soon', '2026-13-01T00:00'])('rejects %j as an instant', (text) => {
  expect(fromLocalInput(text)).toBeNull();
});

test.each([
  [0, 0, 10, 0],
  [0, 5, 10, 0.5],
  [0, 20, 10, 1],
  [5, 0, 10, 0],
  [10, 10, 10, 0],
])('a replay from %d that has reached %d of %d is done to %d', (from, reached, until, done) => {
  expect(replayProgress(from, reached, until)).toBe(done);
});
