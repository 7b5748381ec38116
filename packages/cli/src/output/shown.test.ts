import { expect, it } from '@jest/globals';
import { localTime, shortTime } from './shown.ts';

const now = new Date(2026, 0, 31, 12, 0, 0);
const at = (...parts: [number, number, number, number, number, number]) => new Date(...parts).toISOString();

it('shortens a time as far as it is told from now', () => {
  expect(localTime(at(2026, 0, 31, 9, 5, 7))).toBe('2026-01-31 09:05:07');
  expect(shortTime(at(2026, 0, 31, 9, 5, 7), now)).toBe('09:05:07');
  expect(shortTime(at(2026, 0, 30, 9, 5, 7), now)).toBe('01-30 09:05');
  expect(shortTime(at(2025, 11, 31, 9, 5, 7), now)).toBe('2025-12-31');
  expect(shortTime(null, now)).toBeNull();
});
