import { overlaps, stopsAt, usualOverlap } from './overlap.ts';

const now = Date.parse('2026-03-01T12:00:00.000Z');

test('the old key stops after the overlap, and never later than its own end', () => {
  expect(stopsAt(0, null, now)).toBe('2026-03-01T12:00:00.000Z');
  expect(stopsAt(86_400, null, now)).toBe('2026-03-02T12:00:00.000Z');
  expect(stopsAt(86_400, '2026-03-01T18:00:00.000Z', now)).toBe('2026-03-01T18:00:00.000Z');
  expect(stopsAt(3_600, '2026-03-01T18:00:00.000Z', now)).toBe('2026-03-01T13:00:00.000Z');
});

test('the overlaps are those that the api takes, with a day at first', () => {
  expect(overlaps.map(({ seconds }) => seconds)).toEqual([0, 3_600, 86_400, 604_800]);
  expect(usualOverlap).toBe(86_400);
});
