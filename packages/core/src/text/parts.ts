/**
 * How a text is cut into parts. `readable` breaks where a person would. `full` is the cut of versions before, which fills each part
 * to its last character; it remains for messages that were half sent under it.
 */
export type Cut = 'readable' | 'full';

/**
 * The end of the longest part that fits, in UTF-16 code units, if it begins at `start`. After `start`, and never within a
 * character. A shorter part fits too.
 */
export type EndOf = (text: string, start: number) => number;

/**
 * Cuts a text into parts. Each is sent as one message, so a person sees each break.
 *
 * A `readable` part ends at white space if it can. White space stays at the end of the part as far as it fits. What does not
 * fit is dropped, and so is a part of white space alone. A word that fits no part is broken between graphemes (UAX 29), but
 * not within a link that fits a part. Only a grapheme that fits no part is broken between its characters. Nothing else is lost.
 *
 * A text without anything but white space gives one part.
 */
export function cutText(text: string, endOf: EndOf, cut: Cut): readonly string[] {
  if (endOf(text, 0) >= text.length) return [text];
  return cut === 'full' ? fullParts(text, endOf) : readableParts(text, endOf);
}

function fullParts(text: string, endOf: EndOf): readonly string[] {
  const parts: string[] = [];
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = endOf(text, start);
    parts.push(text.slice(start, end));
  }
  return parts;
}

function readableParts(text: string, endOf: EndOf): readonly string[] {
  const graphemes = graphemesOf.segment(text);
  const parts: string[] = [];
  for (let start = 0; start < text.length;) {
    const end = breakOf(text, start, endOf, graphemes);
    const part = text.slice(start, end);
    if (!isBlank(part)) parts.push(part);
    start = end < text.length ? afterSpace(text, end, graphemes) : end;
  }
  return parts.length > 0 ? parts : [text.slice(0, breakOf(text, 0, endOf, graphemes))];
}

const graphemesOf = new Intl.Segmenter('und', { granularity: 'grapheme' });

/** White space, without the spaces that hold words together. */
const space = /[^\S\u00a0\u202f\ufeff]/;

function isSpaceAt(text: string, index: number): boolean {
  return space.test(text.charAt(index));
}

function isBlank(part: string): boolean {
  return Array.from(part).every((character) => space.test(character));
}

/** Where the part that begins at `start` ends. */
function breakOf(text: string, start: number, endOf: EndOf, graphemes: Intl.Segments): number {
  const fits = endOf(text, start);
  if (fits >= text.length) return text.length;
  const end = boundaryBefore(fits, graphemes);
  if (end <= start) return fits;
  const word = wordAt(text, start, end, graphemes);
  // A word that needs several parts anyway begins in the room that is left.
  if (word > start && (word === end || !isLongWord(text, word, endOf))) return word;
  return linkBefore(text, start, end, endOf, graphemes);
}

/** Where the word begins that goes over `end`: after the last white space, or at `start` without any. `end` if none goes over it. */
function wordAt(text: string, start: number, end: number, graphemes: Intl.Segments): number {
  if (afterSpace(text, end, graphemes) > end) return end;
  for (let at = end; at > start; at -= 1)
    if (isSpaceAt(text, at - 1) && boundaryBefore(at, graphemes) === at) return at;
  return start;
}

function isLongWord(text: string, word: number, endOf: EndOf): boolean {
  const end = endOf(text, word);
  for (let at = word; at < end; at += 1) if (isSpaceAt(text, at)) return false;
  return end < text.length && !isSpaceAt(text, end);
}

/** The last boundary of graphemes that is not after `index`, which is within the text. */
function boundaryBefore(index: number, graphemes: Intl.Segments): number {
  return graphemes.containing(index)?.index ?? index;
}

/** Skips graphemes of white space. A space that carries a combining mark is none. */
function afterSpace(text: string, from: number, graphemes: Intl.Segments): number {
  let at = from;
  while (at < text.length) {
    const { index = at, segment = '' } = graphemes.containing(at) ?? {};
    if (index !== at || !isBlank(segment)) return at;
    at += segment.length;
  }
  return at;
}

const linkBegins = /(?:https?|tg):\/\/|www\./gi;
const longestBegin = 'https://'.length;

/** Where to break instead of `end`, so that no link that fits a part is broken: before the link. `end` if there is no such place. */
function linkBefore(
  text: string,
  start: number,
  end: number,
  endOf: EndOf,
  graphemes: Intl.Segments,
): number {
  const from = linkOver(text, start, end, endOf);
  // Before this link there may be another one that it follows without a space.
  const before = from === null ? start : boundaryBefore(from, graphemes);
  return before <= start ? end : linkBefore(text, start, before, endOf, graphemes);
}

/**
 * Where the link begins that goes over `end`, if it fits a part; null without one. Scripts that use no spaces may go on right after
 * a link, so one that is too long with them counts without them.
 */
function linkOver(text: string, start: number, end: number, endOf: EndOf): number | null {
  for (const { index } of text.slice(start, end + longestBegin).matchAll(linkBegins)) {
    const from = start + index;
    if (from === start) continue;
    if (from >= end) break;
    const longest = endOf(text, from);
    const ends = [/\s/g, /[^\x21-\x7e\u00c0-\u024f]/g].map((after) => firstFrom(text, from, after));
    if (ends.some((to) => to <= longest && to > end)) return from;
  }
  return null;
}

function firstFrom(text: string, from: number, what: RegExp): number {
  what.lastIndex = from;
  return what.exec(text)?.index ?? text.length;
}
