import { bucketName, percent, standingOf } from './figures.ts';

test('counts every message once', () => {
  const standing = standingOf({ accepted: 100, waiting: 5, delivered: 80, failed: 3 });
  expect(standing).toEqual({ delivered: 80, sent: 12, waiting: 5, failed: 3 });
  expect(Object.values(standing).reduce((sum, of) => sum + of)).toBe(100);
});

test.each([
  [null, '–'],
  [0, '0 %'],
  [0.00004, '0.1 %'],
  [0.973, '97.3 %'],
  [0.99996, '99.9 %'],
  [1, '100 %'],
])('%s is written as %s', (rate, words) => {
  expect(percent(rate)).toBe(words);
});

test('hours are in the reader’s zone, days in UTC', () => {
  expect(bucketName('2026-01-31T23:00:00.000Z', 'hour', 'Europe/Berlin', 'en-GB')).toBe('00:00');
  expect(bucketName('2026-01-31T00:00:00.000Z', 'day', 'America/New_York', 'en-GB')).toBe('31 Jan');
});
