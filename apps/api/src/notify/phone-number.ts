import {
  getCountries,
  getCountryCallingCode,
  Metadata,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';

/**
 * Whether a text is a possible number in E.164: its country code exists and its length is one that country has. A length
 * that every country of the code has is enough, whichever of them the number belongs to. Only other numbers are parsed,
 * in 6 µs instead of 0.1: that is 7 % of what an item of a bulk call costs the API and Postgres, and 2 % of a single send.
 */
export function isPhoneNumber(text: string): boolean {
  if (!/^\+[1-9][0-9]{1,14}$/.test(text)) return false;
  return (
    hasCommonLength(text, 1) ||
    hasCommonLength(text, 2) ||
    hasCommonLength(text, 3) ||
    (parsePhoneNumberFromString(text, { extract: false })?.isPossible() ?? false)
  );
}

/** No country code begins with another (ITU-T E.164). */
function hasCommonLength(text: string, codeLength: number): boolean {
  const lengths = lengthsByCode.get(text.slice(1, 1 + codeLength));
  return lengths !== undefined && lengths.has(text.length - 1 - codeLength);
}

/** How long national numbers are in every country of a country code: the seven digits of +1 are Canada's alone. */
const lengthsByCode: ReadonlyMap<string, ReadonlySet<number>> = (() => {
  const common = new Map<string, Set<number>>();
  for (const country of getCountries()) {
    const code = getCountryCallingCode(country);
    const own = lengthsOf(country);
    common.set(code, common.get(code)?.intersection(own) ?? own);
  }
  return common;
})();

function lengthsOf(country: ReturnType<typeof getCountries>[number]): Set<number> {
  const metadata = new Metadata();
  metadata.selectNumberingPlan(country);
  return new Set(metadata.numberingPlan?.possibleLengths());
}
