import { bodyText } from './body-text.ts';

/** A double holds every integer of 15 digits. The first that it does not hold, 2^53 + 1, has 16. */
const longDigits = 16;

/**
 * Parses JSON; null when the text is not JSON. An integer that a double cannot hold becomes a text with all its digits,
 * because it is an id: rounded, it would name another message.
 */
export function parseJson(text: string): unknown {
  // Receipts by GET have an empty body, and an exception costs more than the rest of reading one.
  if (text === '') return null;
  try {
    return hasLongNumber(text) ? JSON.parse(text, keepDigits as Reviver) : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Parses the JSON of a body, which may begin with a byte order mark; null when it is not JSON. */
export function jsonIn(body: Buffer): unknown {
  return parseJson(bodyText(body));
}

type Reviver = (name: string, value: unknown) => unknown;

/** `source` is the text of a number (ECMA-262, "InternalizeJSONProperty"). Objects and lists have none. */
function keepDigits(_: string, value: unknown, { source = '' }: { readonly source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value;
  return /^-?\d+$/.test(source) ? source : value;
}

/** What may stand before a number (RFC 8259, section 2), and its sign. */
const beforeNumber: ReadonlySet<string | undefined> = new Set([undefined, ...':,[- \t\n\r']);

/**
 * Whether a text may hold an integer of 16 digits or more. A reviver costs several times as much as parsing, so it is only
 * used then. One look at every 16th character finds such a number, and each digit is passed once.
 */
function hasLongNumber(text: string): boolean {
  for (let at = longDigits - 1; at < text.length; at += longDigits) {
    if (!isDigit(text, at)) continue;
    let begin = at;
    while (isDigit(text, begin - 1)) begin -= 1;
    let end = at + 1;
    while (isDigit(text, end)) end += 1;
    if (end - begin >= longDigits && beforeNumber.has(text[begin - 1])) return true;
    // The last place to look at that is not behind the digits.
    at = end - ((end + 1) % longDigits);
  }
  return false;
}

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 0x30 && code <= 0x39;
}
