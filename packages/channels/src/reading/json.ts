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
    return JSON.parse(hasLongNumber(text) ? withQuotedIntegers(text) : text);
  } catch {
    return null;
  }
}

/** Parses the JSON of a body, which may begin with a byte order mark; null when it is not JSON. */
export function jsonIn(body: Buffer): unknown {
  return parseJson(bodyText(body));
}

/** An integer of 16 digits or more (RFC 8259, section 6). Each digit is passed at most twice, whatever surrounds it. */
const longInteger = /(?<![\d.eE+-])-?[1-9]\d{15,}(?![\d.eE])/g;

/**
 * JSON with quotes around the integers that a double cannot hold. A reviver of `JSON.parse` would be told their source too,
 * but costs ten times as much for 30,000 values.
 */
function withQuotedIntegers(text: string): string {
  let rewritten = '';
  let kept = 0;
  for (let at = 0; at < text.length;) {
    const quote = text.indexOf('"', at);
    const begin = quote === -1 ? text.length : quote;
    if (begin - at >= longDigits) {
      rewritten += text.slice(kept, at) + text.slice(at, begin).replace(longInteger, quoted);
      kept = begin;
    }
    at = quote === -1 ? begin : endOfText(text, quote);
  }
  return rewritten + text.slice(kept);
}

/** The index after the text in JSON that begins with this quote. A quote after an odd number of backslashes is part of it. */
function endOfText(json: string, quote: number): number {
  for (let at = json.indexOf('"', quote + 1); at !== -1; at = json.indexOf('"', at + 1)) {
    let begin = at;
    while (json[begin - 1] === '\\') begin -= 1;
    if ((at - begin) % 2 === 0) return at + 1;
  }
  return json.length;
}

function quoted(integer: string): string {
  const isExact = integer.length <= longDigits + 1 && Number.isSafeInteger(Number(integer));
  return isExact ? integer : `"${integer}"`;
}

/** What may stand before a number (RFC 8259, section 2), and its sign. */
const beforeNumber: ReadonlySet<string | undefined> = new Set([
  undefined,
  ':',
  ',',
  '[',
  '-',
  ' ',
  '\t',
  '\n',
  '\r',
]);

/**
 * Whether a text may hold an integer of 16 digits or more. Most texts hold none, so
 * this is all that they cost. One look at every 16th character finds such a number, and each digit is passed once.
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
