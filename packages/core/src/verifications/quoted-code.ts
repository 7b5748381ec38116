import { base32, base64, decoded } from './encoded-digits.ts';

/** A provider's id has no blanks, no escapes, and only ASCII. */
const ordinaryId = /^[^\s%&\\"\P{ASCII}]*$/u;
const signs = '[^0-9A-Za-z]*';

/**
 * Whether a provider's id has the code in it, in any encoding that fits into an id, or is no id. A longer number may have the same
 * digits by chance, and is no quote.
 */
export function isQuote(id: string, code: string): boolean {
  if (!ordinaryId.test(id)) return true;
  const plain = new RegExp(`(?<!\\d)${code.split('').join(signs)}(?!\\d)`);
  return plain.test(id) || numbersOf(code).test(id) || encodes(id, code);
}

/** The code as numbers of its characters: hexadecimal, octal or decimal, each with or without a prefix. */
function numbersOf(code: string): RegExp {
  const between = `${signs}(?:0?[xXuU])?0{0,4}`;
  const ways = [16, 8, 10].map((radix) =>
    code
      .split('')
      .map((digit) => digit.charCodeAt(0).toString(radix))
      .join(between),
  );
  return new RegExp(ways.join('|'));
}

/** Whether a part of an id is the base64 or base32 of a text that has the code. */
function encodes(id: string, code: string): boolean {
  const found = new RegExp(`(?<!\\d)${code}(?!\\d)`);
  return [base64, base32].some((encoding) =>
    (id.match(/[\w+/-]{4,}/g) ?? []).some((part) =>
      // Each character begins a byte at one of so many places.
      Array.from({ length: 8 }, (_, skipped) => decoded(part.slice(skipped), encoding)).some((bytes) =>
        found.test(bytes.replaceAll('\0', '')),
      ),
    ),
  );
}
