import { getCountries, getCountryCallingCode } from 'libphonenumber-js/min';
import { countryCodeOf, isCountryCode } from './country-code.ts';

test.each([
  ['+491701234567', '+49'],
  ['14155552671', '+1'],
  ['+80012345678', '+800'],
  ['+870773111632', '+870'],
  ['+881612345678', '+881'],
  ['+882345678901', '+882'],
  ['+883510012345', '+883'],
  ['+979123456789', '+979'],
])('the code of %s is %s, and counts as one: it can be held, so it can be allowed', (address, code) => {
  expect(countryCodeOf(address)).toBe(code);
  expect(isCountryCode(code)).toBe(true);
});

test.each(['+0', '+999', '+4', '49', '+490', ''])('%j is no country code', (text) => {
  expect(isCountryCode(text)).toBe(false);
});

test('the code of every country counts as one', () => {
  const codes = getCountries().map((country) => `+${getCountryCallingCode(country)}`);
  expect(codes.filter((code) => !isCountryCode(code))).toEqual([]);
});
