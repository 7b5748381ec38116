import { inputMoment, momentExample, readMoment, writeMoment } from './moment-text.ts';

test('a moment is read in the zone of the browser, and written as it was', () => {
  expect(readMoment(momentExample)).toEqual(new Date(2026, 0, 31, 9, 30));
  expect(writeMoment(new Date(2026, 0, 31, 9, 30))).toBe(momentExample);
  expect(readMoment(inputMoment(new Date(2026, 0, 31, 9, 30)))).toEqual(new Date(2026, 0, 31, 9, 30));
  expect(readMoment(' 2026-1-5 ')).toEqual(new Date(2026, 0, 5));
  expect(readMoment('2026-01-31T9:05')).toEqual(new Date(2026, 0, 31, 9, 5));
});

test.each([
  '',
  '31.01.2026',
  '2026-02-31',
  '2026-13-01',
  '2026-01-31 24:61',
  '0026-01-31T09:30',
  'yesterday',
])('%j is no moment', (text) => {
  expect(readMoment(text)).toBeNull();
});
