import { expect, it } from '@jest/globals';
import { instantOf } from './time.ts';

const now = Date.parse('2026-01-31T12:00:00Z');

it.each([
  ['30m', -1, '2026-01-31T11:30:00.000Z'],
  ['2h', 1, '2026-01-31T14:00:00.000Z'],
  ['7d', -1, '2026-01-24T12:00:00.000Z'],
  ['2026-01-02', -1, '2026-01-02T00:00:00.000Z'],
  ['2026-01-02T03:04:05+01:00', 1, '2026-01-02T02:04:05.000Z'],
] as const)('reads %s in direction %i', (typed, direction, instant) => {
  expect(instantOf(typed, direction, now)).toBe(instant);
});

it.each(['yesterday', '2', '-2h', '2026-13-01', '2026-01-32T00:00:00Z', '2 h', '999999d'.repeat(2)])(
  'refuses %s',
  (typed) => {
    expect(() => instantOf(typed, -1, now)).toThrow('must be a time');
  },
);
