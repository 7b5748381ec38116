/** The limits of a JSON text. */
export interface JsonLimits {
  /** Values of every kind. Objects and lists count, names do not. */
  readonly values: number;
  /** Bytes, without those added by escapes: `\u` and its digits count as two, any other escape as one. */
  readonly contentBytes: number;
}

const quote = 0x22;
const comma = 0x2c;
const backslash = 0x5c;
const letterU = 0x75;

/** 1 for each byte outside of strings at which the scan stops. */
const marks = Uint8Array.from({ length: 256 }, (_, byte) =>
  '",[{'.includes(String.fromCharCode(byte)) ? 1 : 0,
);
/** A value has at most three marks: a comma before it, a name, and its own quote or bracket. */
const maxMarksOfValue = 3;

/**
 * The limit that a JSON text exceeds, or null. One pass over the bytes decides before anything is built of them,
 * because a parser takes more than a second for 6 MB of short names. For an invalid text, counts at least the values
 * that a parser would build before it finds the error.
 */
export function exceededJsonLimit(bytes: Uint8Array, limits: JsonLimits): keyof JsonLimits | null {
  let values = 1;
  let seen = 0;
  /** The end of the content within the limit, as far as escapes are known. */
  let room = limits.contentBytes;
  for (let at = nextMark(bytes, 0, room); at < room; at = nextMark(bytes, at + 1, room)) {
    if (at >= bytes.length) return null;
    if (bytes[at] === quote) {
      const text = readText(bytes, at, room);
      at = text.end;
      room = text.room;
    } else if (bytes[at] === comma || !isClosing(bytes[afterBlanks(bytes, at + 1)])) values += 1;
    seen += 1;
    if (values > limits.values || seen > maxMarksOfValue * limits.values) return 'values';
  }
  return bytes.length > room ? 'contentBytes' : null;
}

/** The next quote, comma or opening bracket, or else the end of `bytes` or `room`. */
function nextMark(bytes: Uint8Array, begin: number, room: number): number {
  const end = Math.min(bytes.length, room);
  let at = begin;
  while (at < end && marks[bytes[at]!] === 0) at += 1;
  return at;
}

/** The end of a string, and the room that its escapes add. No byte of a longer character equals that of a quote. */
function readText(
  bytes: Uint8Array,
  begin: number,
  room: number,
): { readonly end: number; readonly room: number } {
  let added = 0;
  let at = begin + 1;
  for (; at < bytes.length && bytes[at] !== quote && at < room + added; at += 1) {
    if (bytes[at] !== backslash) continue;
    const isCode = bytes[at + 1] === letterU;
    added += isCode ? 4 : 1;
    at += isCode ? 5 : 1;
  }
  return { end: at, room: room + added };
}

function afterBlanks(bytes: Uint8Array, begin: number): number {
  let at = begin;
  while (isBlank(bytes[at])) at += 1;
  return at;
}

/** RFC 8259, section 2. */
function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isClosing(byte: number | undefined): boolean {
  return byte === 0x5d || byte === 0x7d;
}
