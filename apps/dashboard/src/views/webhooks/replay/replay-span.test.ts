import { replayProgress, replayWords } from './replay-span.ts';

test.each([
  [0, true, 'Nothing to replay: no event since then was missed.'],
  [1, true, 'Replaying 1 event.'],
  [1_200, true, 'Replaying 1,200 events.'],
  [0, false, 'Replaying at least 0 events.'],
  [9_500, false, 'Replaying at least 9,500 events.'],
])('a replay of %d events, all counted: %s', (events, eventsComplete, words) => {
  expect(replayWords({ events, eventsComplete })).toBe(words);
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
