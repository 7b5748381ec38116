import { expect, test } from '@jest/globals';
import { retryAfterMs } from './retry-after.ts';

const now = Date.parse('2026-01-01T00:00:00Z');

test.each([
  ['120', 120_000],
  [' 0 ', 0],
  ['\t7', 7_000],
  ['007', 7_000],
  ['2030', 2_030_000],
  ['1000000000000', 1e15],
  ['9'.repeat(400), Number.MAX_SAFE_INTEGER],
  ['1.5', 2_000],
  ['0.5', 1_000],
  ['0.0', 0],
  ['40.5', 41_000],
  ['60.50', 61_000],
  ['3.0', 3_000],
  ['1.00000000000000000001', 2_000],
  ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
  ['Wed, 31 Dec 2025 23:59:00 GMT', 0],
  ['Thursday, 01-Jan-26 00:01:00 GMT', 60_000],
  ['Thu Jan  1 00:01:00 2026', 60_000],
])('Retry-After %p means %p ms', (header, expected) => {
  expect(retryAfterMs(header, now)).toBe(expected);
});

test.each([
  '1,5',
  '"2"',
  '+2',
  '-2',
  '.5',
  '2.',
  '1.5.2',
  '1e3',
  '0x10',
  '٣',
  '2 s',
  '1, 2',
  '120, 120',
  '2026-01-01T00:01:00Z',
  '2026-01',
  '+002030-01-01',
  'Jan 1 2030',
  '01 Jan 2030 00:00:00 GMT',
  'Thu, 01 Jan 2030 00:01:00 +0100',
  'Thu, 01 Jan 2030 00:01:00 UTC',
  'Thu, 1 Jan 2030 00:01:00 GMT',
  'thu, 01 jan 2030 00:01:00 gmt',
  'Thu, 32 Jan 2030 00:01:00 GMT',
  'Thu, 30 Feb 2030 00:01:00 GMT',
  'Thu, 01 Jan 2030 24:00:00 GMT',
  'Thu Jan 01 2030 00:01:00 GMT',
  'soon',
  '',
  ' ',
  null,
])('Retry-After %p is as if absent', (header) => {
  expect(retryAfterMs(header, now)).toBeUndefined();
});

test.each([
  ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37Z'],
  ['Sat Nov  6 08:49:37 2094', '2094-11-06T08:49:37Z'],
  ['Saturday, 06-Nov-76 08:49:37 GMT', '2076-11-06T08:49:37Z'],
  ['Sunday, 06-Nov-77 08:49:37 GMT', '1977-11-06T08:49:37Z'],
])('the HTTP date %p is %p', (text, iso) => {
  expect(retryAfterMs(text, now)).toBe(Math.max(0, Date.parse(iso) - now));
});

test('a year of two digits is the nearest one at the turn of a century', () => {
  const late = Date.parse('2099-12-31T23:59:00Z');
  expect(retryAfterMs('Friday, 01-Jan-00 00:00:00 GMT', late)).toBe(60_000);
});
