import { formats } from './formats.ts';

test.each([
  ['2026-02-28T00:00:00Z', true],
  ['2024-02-29T23:59:59.123456+14:00', true],
  ['2026-02-28t09:30:00z', true],
  ['2026-02-29T00:00:00Z', false],
  ['2026-02-30T00:00:00Z', false],
  ['2026-04-31T10:00:00-05:00', false],
  ['2026-13-01T00:00:00Z', false],
  ['2026-01-31T24:00:00Z', false],
  ['2026-01-31T10:00:00', false],
  ['2026-01-31', false],
])('%s as a date-time: %s', (text, valid) => {
  expect(formats['date-time'](text)).toBe(valid);
});
