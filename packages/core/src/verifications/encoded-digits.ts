const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const base64Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** How many characters of a text hold one byte, and the value of each. Null for a character that has none. */
interface Encoding {
  readonly bits: number;
  readonly valueOf: (character: string) => number | null;
}

/** Base64 and base64url (RFC 4648, sections 4 and 5). */
export const base64: Encoding = {
  bits: 6,
  valueOf: (one) => indexIn(base64Letters, one === '-' ? '+' : one === '_' ? '/' : one),
};

/** Base32 (RFC 4648, section 6), in capitals or small letters. */
export const base32: Encoding = { bits: 5, valueOf: (one) => indexIn(base32Letters, one.toUpperCase()) };

function indexIn(letters: string, one: string): number | null {
  const at = letters.indexOf(one);
  return at === -1 ? null : at;
}

/**
 * The bytes that a text encodes, one character for each, up to the first character that encodes nothing. Bits at the end that
 * make no byte are left out.
 */
export function decoded(text: string, { bits, valueOf }: Encoding): string {
  let bytes = '';
  let held = 0;
  let heldBits = 0;
  for (const one of text) {
    const value = valueOf(one);
    if (value === null) break;
    held = ((held << bits) | value) & 0xffff;
    heldBits += bits;
    if (heldBits < 8) continue;
    heldBits -= 8;
    bytes += String.fromCharCode((held >> heldBits) & 0xff);
  }
  return bytes;
}

/** The characters of a text that encode four digits or more, as ASCII or UTF-16: from, and up to. Null if none do. */
export function digitsWithin(text: string): readonly [from: number, to: number] | null {
  for (const encoding of [base64, base32]) {
    const found = /(?:\d\0?){4,}/.exec(decoded(text, encoding));
    if (found === null) continue;
    const charactersOf = (bytes: number): number => (bytes * 8) / encoding.bits;
    return [Math.floor(charactersOf(found.index)), Math.ceil(charactersOf(found.index + found[0].length))];
  }
  return null;
}
