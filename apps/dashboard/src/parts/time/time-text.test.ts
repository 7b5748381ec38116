import {
  absolute,
  byteSize,
  dateText,
  dayNumber,
  dayText,
  dueIn,
  duration,
  relative,
  remaining,
  timeOfDay,
  utc,
} from './time-text.ts';

const now = Date.UTC(2026, 5, 15, 12, 0, 0);
const before = (ms: number): Date => new Date(now - ms);

test('shows a time in the page’s zone, and in UTC', () => {
  const date = new Date('2026-01-31T23:30:05.123Z');
  expect(absolute(date, now, 'Asia/Tokyo', 'en')).toBe('Feb 1, 08:30:05');
  expect(absolute(new Date('2024-01-31T12:00:00Z'), now, 'UTC', 'en')).toBe('Jan 31, 2024, 12:00:00');
  expect(utc(date)).toBe('2026-01-31 23:30:05 UTC');
});

test('a day has its year if it is another one', () => {
  expect(dateText(new Date('2026-12-11T09:00:00Z'), now, 'UTC', 'en')).toBe('Dec 11');
  expect(dateText(new Date('2026-12-31T23:30:00Z'), now, 'Asia/Tokyo', 'en')).toBe('Jan 1, 2027');
});

test('the year is left out where the zone’s calendar has the same', () => {
  const newYear = new Date('2025-12-31T23:30:00Z');
  expect(absolute(newYear, now, 'Asia/Tokyo', 'en')).toBe('Jan 1, 08:30:00');
  expect(absolute(newYear, now, 'UTC', 'en')).toBe('Dec 31, 2025, 23:30:00');
});

test.each([
  [0, 'just now'],
  [59_999, 'just now'],
  [-10_000, 'just now'],
  [-45_000, 'in less than a minute'],
  [3 * 60_000, '3 minutes ago'],
  [-3 * 60_000, 'in 3 minutes'],
  [5 * 3_600_000, '5 hours ago'],
  [24 * 3_600_000, 'yesterday'],
  [9 * 24 * 3_600_000, '9 days ago'],
])('%p ms ago is "%s"', (ms, text) => {
  expect(relative(before(ms), now, 'UTC', 'en')).toBe(text);
});

test('yesterday is the day before in the page’s zone, however many hours ago', () => {
  const date = new Date('2026-06-13T23:30:00Z');
  expect(relative(date, now, 'UTC', 'en')).toBe('2 days ago');
  expect(relative(date, now, 'Europe/Berlin', 'en')).toBe('yesterday');
});

test.each([
  [-60_000, 'due'],
  [0, 'due'],
  [5_000, 'in a moment'],
  [30_000, 'within a minute'],
  [120_000, 'in 2 minutes'],
])('what waits %p ms more is "%s"', (ms, text) => {
  expect(dueIn(before(-ms), now, 'UTC', 'en')).toBe(text);
});

test.each([
  [84.4, '84 ms'],
  [1_200, '1.2 s'],
  [10_000, '10 s'],
  [125_000, '2 min'],
  [7_200_000, '2 h'],
  [5 * 86_400_000, '5 days'],
])('%p ms are "%s"', (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test('names days by the calendar of the zone', () => {
  expect(dayText(new Date(now), now, 'UTC', 'en')).toBe('Today');
  const lastNight = new Date('2026-06-14T23:30:00Z');
  expect(dayText(lastNight, now, 'UTC', 'en')).toBe('Yesterday');
  expect(dayText(lastNight, now, 'Asia/Tokyo', 'en')).toBe('Today');
  expect(dayNumber(new Date(now), 'UTC') - dayNumber(lastNight, 'UTC')).toBe(1);
  expect(dayText(new Date('2026-01-31T12:00:00Z'), now, 'UTC', 'en')).toBe('Saturday, January 31');
  expect(dayText(new Date('2024-01-31T12:00:00Z'), now, 'UTC', 'en')).toBe('Wednesday, January 31, 2024');
  expect(timeOfDay(lastNight, 'Asia/Tokyo', 'en')).toBe('08:30');
});

test.each([
  [59_000, 'less than a minute'],
  [60_000, '1 min'],
  [3_600_000, '1 h'],
  [84_600_000, '23 h 30 min'],
  [260_000_000, '3 days'],
])('what remains of %i ms', (ms, words) => {
  expect(remaining(ms)).toBe(words);
});

test.each([
  [640, '640 B'],
  [12_345, '12 KB'],
  [3_400_000, '3.4 MB'],
])('%i bytes', (bytes, words) => {
  expect(byteSize(bytes)).toBe(words);
});
