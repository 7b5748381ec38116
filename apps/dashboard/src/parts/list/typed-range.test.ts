import { faultsOf, readRange, typedRange } from './typed-range.ts';

const none = { from: null, until: null };
const whole = (): boolean => false;

test('a range is typed in the zone of the browser and passed on in UTC', () => {
  const [from, until] = [new Date(2026, 0, 31, 9, 30), new Date(2026, 1, 1, 9, 30)];
  const range = { from: from.toISOString(), until: until.toISOString() };
  const typed = { from: '2026-01-31T09:30', until: '2026-02-01T09:30' };
  expect(readRange(typed, none)).toEqual(range);
  expect(typedRange(range)).toEqual(typed);
  expect(faultsOf(typed, range, whole)).toEqual(none);
});

test('an end that nobody changed keeps its seconds', () => {
  const given = { from: '2026-01-31T09:30:15.250Z', until: null };
  const typed = { ...typedRange(given), until: '2026-02-05T00:00' };
  expect(readRange(typed, given)).toEqual({
    from: given.from,
    until: new Date(2026, 1, 5).toISOString(),
  });
  expect(readRange({ from: '', until: '' }, given)).toEqual(none);
});

test('a range that ends before or as it begins is a fault of its end', () => {
  const range = { from: '2026-02-01T08:30:00.000Z', until: '2026-02-01T08:30:00.000Z' };
  const fault = { from: null, until: 'Choose a time after “From”.' };
  expect(faultsOf(typedRange(range), range, whole)).toEqual(fault);
  expect(faultsOf(typedRange(range), { ...range, from: null }, whole).until).toBeNull();
});

test('half a date is no end, and neither is a year of two digits', () => {
  const half = { from: 'Enter a date and a time.', until: null };
  expect(faultsOf({ from: '', until: '' }, none, (name) => name === 'from')).toEqual(half);
  const typed = { from: '0026-01-31T09:30', until: '' };
  expect(faultsOf(typed, readRange(typed, none), whole)).toEqual(half);
});
