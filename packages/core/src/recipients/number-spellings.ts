/** Two spellings of the same phone numbers of a country, by their digits. */
interface Spelling {
  /** The digits that all of them begin with. */
  readonly code: string;
  /** What a number of the other spelling looks like, and what becomes of it. */
  readonly other: RegExp;
  readonly toUsual: string;
  /** What one of the usual spelling looks like, if it has another. */
  readonly usual: RegExp;
  readonly toOther: string;
}

/**
 * Countries whose numbers are in use in two spellings: a plan changed, and WhatsApp, carriers and address books keep the old
 * one of people who were there before. In each, one spelling follows from the other, and no number belongs to two people.
 *
 * - Brazil put a 9 before the eight digits of mobile numbers, which began with 6 to 9 (Anatel, Resolução 553/2010).
 *   Landlines begin with 2 to 5 and have no other spelling.
 * - Mexico dropped the 1 that callers from abroad put before mobile numbers (IFT, 3 August 2019).
 * - Argentina has a 9 before mobile numbers for callers from abroad only (ITU-T, national numbering plan of Argentina).
 *   The ten digits behind it are unique among all numbers. So a landline's key also has the 9, although nobody dials it.
 * - Benin put 01 before all numbers, which had eight digits (ARCEP, 30 November 2024).
 *
 * `contact_key` of the database has the same rules. A new one takes a migration, which also changes stored keys.
 */
const spellings: readonly Spelling[] = [
  {
    code: '55',
    other: /^55([1-9][1-9])([6-9]\d{7})$/,
    toUsual: '55$19$2',
    usual: /^55([1-9][1-9])9([6-9]\d{7})$/,
    toOther: '55$1$2',
  },
  { code: '52', other: /^521(\d{10})$/, toUsual: '52$1', usual: /^52(\d{10})$/, toOther: '521$1' },
  {
    code: '54',
    other: /^54([1-3]\d{9})$/,
    toUsual: '549$1',
    usual: /^549([1-3]\d{9})$/,
    toOther: '54$1',
  },
  { code: '229', other: /^229(\d{8})$/, toUsual: '22901$1', usual: /^22901(\d{8})$/, toOther: '229$1' },
];

/** The digits of a phone number with country code in the usual spelling of its country. Other texts stay as they are. */
export function usualDigits(digits: string): string {
  const rule = spellings.find(({ code }) => digits.startsWith(code));
  return rule === undefined ? digits : digits.replace(rule.other, rule.toUsual);
}

/** All spellings of a phone number by its digits, the usual one first. Most have one. */
export function spellingsOfDigits(digits: string): readonly string[] {
  const usual = usualDigits(digits);
  const rule = spellings.find(({ code }) => usual.startsWith(code));
  return rule?.usual.test(usual) === true ? [usual, usual.replace(rule.usual, rule.toOther)] : [usual];
}
