import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';
import { isPhoneNumber } from './phone-number.ts';

const codes = [...new Set(getCountries().map((country) => getCountryCallingCode(country)))];
/** National numbers with and without a leading zero, which the library may strip as a prefix. */
const digits = ['0123456789012', '1507894612304', '3333333333333', '9800123456789'];

test('every country code and length is judged as the library judges it after parsing', () => {
  const judged = codes.flatMap((code) =>
    digits.flatMap((one) => Array.from(one, (_, index) => `+${code}${one.slice(0, index + 1)}`)),
  );
  const isPossible = (text: string): boolean =>
    text.length <= 16 && (parsePhoneNumberFromString(text, { extract: false })?.isPossible() ?? false);
  expect(judged.filter((text) => isPhoneNumber(text) !== isPossible(text))).toEqual([]);
  expect(judged.filter(isPhoneNumber).length).toBeGreaterThan(codes.length);
});

test('numbers without a country and unassigned codes are judged too', () => {
  expect(['+80012345678', '+870773111632'].map(isPhoneNumber)).toEqual([true, true]);
  expect(['+80012345', '+99912345678', '+1'].map(isPhoneNumber)).toEqual([false, false, false]);
});
