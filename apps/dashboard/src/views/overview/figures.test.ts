import { bucketName, restInWords, standingOf, webhookInWords } from './figures.ts';

test('counts every message once', () => {
  const standing = standingOf({ accepted: 100, waiting: 5, delivered: 80, failed: 3 });
  expect(standing).toEqual({ delivered: 80, sent: 12, waiting: 5, failed: 3 });
  expect(Object.values(standing).reduce((sum, of) => sum + of)).toBe(100);
});

test('hours and days are named in the zone of the page, in its language', () => {
  const now = Date.UTC(2026, 1, 10);
  expect(bucketName('2026-01-31T23:00:00.000Z', 'hour', 'Europe/Berlin', now)).toBe('00:00');
  expect(bucketName('2026-01-31T00:00:00.000Z', 'day', 'UTC', now)).toBe('Jan 31');
  expect(bucketName('2025-12-31T00:00:00.000Z', 'day', 'UTC', now)).toBe('Dec 31, 2025');
});

test('one error code that is left out is not many', () => {
  expect([1, 2].map(restInWords)).toEqual([
    'And 1 less frequent error code.',
    'And 2 less frequent error codes.',
  ]);
});

test('a webhook that delivered nothing is not said to have needed more attempts', () => {
  const attempts = { '2xx': 0, '3xx': 0, '4xx': 0, '5xx': 7, none: 1 };
  const counts = { delivered: 0, retried: 3, failed: 0, attempts };
  expect(webhookInWords(counts)).toBe('0 delivered · 7 × 5xx · 1 × no response');
  expect(webhookInWords({ ...counts, delivered: 2, failed: 1 })).toBe(
    '2 delivered · 3 needed more than one attempt · 1 failed · 7 × 5xx · 1 × no response',
  );
});
