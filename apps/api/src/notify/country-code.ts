import { getCountries, getCountryCallingCode, parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** The country code of a phone number, such as `+49`. Null for an address that is no phone number. `+` may be missing. */
export function countryCodeOf(address: string): string | null {
  if (!/^\+?[1-9][0-9]{1,14}$/.test(address)) return null;
  const number = address.startsWith('+') ? address : `+${address}`;
  const code = parsePhoneNumberFromString(number, { extract: false })?.countryCallingCode;
  return code === undefined ? null : `+${code}`;
}

/** Codes of no country: satellites, networks, toll-free and premium-rate numbers (ITU-T E.164). Fraud likes them. */
const nonGeographic = ['800', '808', '870', '878', '881', '882', '883', '888', '979'];

const countryCodes: ReadonlySet<string> = new Set(
  [...getCountries().map((country) => getCountryCallingCode(country)), ...nonGeographic].map(
    (code) => `+${code}`,
  ),
);

/** Whether a text is the country code of some country, such as `+49`, or one of no country, such as `+882`. */
export function isCountryCode(text: string): boolean {
  return countryCodes.has(text);
}
