import { parsePhoneNumberFromString } from 'libphonenumber-js/min';

/** The country code of a phone number, such as `+49`. Null for an address that is no phone number. `+` may be missing. */
export function countryCodeOf(address: string): string | null {
  if (!/^\+?[1-9][0-9]{1,14}$/.test(address)) return null;
  const number = address.startsWith('+') ? address : `+${address}`;
  const code = parsePhoneNumberFromString(number, { extract: false })?.countryCallingCode;
  return code === undefined ? null : `+${code}`;
}

/**
 * Whether a text is a code that `countryCodeOf` finds, such as `+49`, or `+882` of satellites and networks. The digits behind it are
 * any: the parser takes the code off before it judges the rest.
 */
export function isCountryCode(text: string): boolean {
  return /^\+[1-9][0-9]{0,2}$/.test(text) && countryCodeOf(`${text}23456789`) === text;
}
