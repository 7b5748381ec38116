/** A number as people write it: digits with spaces, dots, dashes, slashes or brackets, perhaps after a plus. */
const written = /^\+?[\d(][\d\s()./\u00a0\u2010-\u2015-]*$/;
const fewestDigits = 5;

/**
 * A phone number without what people write for their eyes: `+1 (415) 555-0123` as `+14155550123`, `0049 (0)170 …` as
 * `+49170…`. Any other text is only trimmed, such as a chat ID, a user name, or a sender with letters.
 */
export function plainPhone(text: string): string {
  const trimmed = text.trim();
  const digits = trimmed.replaceAll(/\D/g, '');
  if (!written.test(trimmed) || digits.length < fewestDigits) return trimmed;
  const isInternational = trimmed.startsWith('+') || digits.startsWith('00');
  // In "+49 (0)170", the zero is only dialled inside the country.
  const dialled = isInternational ? trimmed.replace('(0)', '') : trimmed;
  const plain = dialled.replaceAll(/\D/g, '').replace(isInternational ? /^00/ : /^$/, '');
  return isInternational ? `+${plain}` : plain;
}
