import { retryAfterMs } from './retry-after.ts';

const now = Date.parse('2026-01-01T00:00:00Z');

test.each([
  ['120', 120_000],
  [' 0 ', 0],
  ['1000000000000', 1e15],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
  ['soon', null],
  ['', null],
  [undefined, null],
])('Retry-After %p means %p ms', (header, expected) => {
  expect(retryAfterMs(header, now)).toBe(expected);
});
