import { gsmCharacters, gsmEscape, gsmExtension } from './gsm.ts';
import { type Cut, cutText } from './parts.ts';

/** The two alphabets of SMS. */
export type SmsEncoding = 'GSM-7' | 'UCS-2';

/** How a text travels by SMS. `units` are septets (GSM-7) or UTF-16 code units (UCS-2). */
export interface SmsSegments {
  readonly encoding: SmsEncoding;
  readonly units: number;
  readonly segments: number;
}

/**
 * Units per message of one segment, and per segment of a longer one, whose header takes six octets (3GPP TS 23.040).
 */
const capacity = { 'GSM-7': { single: 160, each: 153 }, 'UCS-2': { single: 70, each: 67 } } as const;

const basic = new Set(gsmCharacters.replace(String.fromCharCode(gsmEscape), ''));

/**
 * The characters that an SMSC takes in its default alphabet. A text with another character travels as UCS-2, and so does one with a
 * character that GSM 03.38 lacks: phones have no other alphabet, so the SMSC would replace it.
 */
export type SmsAlphabet = 'gsm-03.38' | 'latin-1' | 'ascii';

const highestCode: Readonly<Record<SmsAlphabet, number>> = {
  'gsm-03.38': Infinity,
  'latin-1': 0xff,
  ascii: 0x7f,
};

/** Counts the segments of a text: one has 160 septets or 70 code units, each of several has 153 or 67. */
export function smsSegments(text: string, alphabet: SmsAlphabet = 'gsm-03.38'): SmsSegments {
  return measure(Array.from(text), alphabet);
}

/** The text of each segment: as many as `smsSegments` counts. */
export function segmentTexts(
  text: string,
  alphabet: SmsAlphabet,
): { readonly encoding: SmsEncoding; readonly texts: readonly string[] } {
  const characters = Array.from(text);
  const { encoding, starts } = layOut(characters, alphabet);
  const texts = starts.map((start, index) => characters.slice(start, starts[index + 1]).join(''));
  return { encoding, texts };
}

/**
 * Cuts a text into texts of at most `maxSegmentsPerText` (1 or more) segments each, as `cutText` does. The phone joins the segments
 * of one text, but shows each text by itself. Escape sequences and surrogate pairs stay whole. Each text is encoded on its own: only
 * those that need it use UCS-2.
 */
export function splitSms(
  text: string,
  maxSegmentsPerText: number,
  cut: Cut,
  alphabet: SmsAlphabet = 'gsm-03.38',
): readonly string[] {
  return cutText(text, (whole, start) => endThatFits(whole, start, maxSegmentsPerText, alphabet), cut);
}

function endThatFits(text: string, start: number, maxSegments: number, alphabet: SmsAlphabet): number {
  const most = maxCharacters(maxSegments);
  // A character has at most two code units.
  const characters = Array.from(text.slice(start, start + 2 * most)).slice(0, most);
  const fitting = characters.slice(0, headThatFits(characters, maxSegments, alphabet));
  return start + fitting.reduce((length, character) => length + character.length, 0);
}

function measure(characters: readonly string[], alphabet: SmsAlphabet): SmsSegments {
  const { encoding, units, starts } = layOut(characters, alphabet);
  return { encoding, units, segments: starts.length };
}

/** Characters in their segments. */
interface Layout extends Pick<SmsSegments, 'encoding' | 'units'> {
  /** The index of the first character of each segment, at least one. */
  readonly starts: readonly number[];
}

/** A character of two units that does not fit the rest of a segment goes into the next one. */
function layOut(characters: readonly string[], alphabet: SmsAlphabet): Layout {
  const encoding = characters.every((character) => isGsm(character, alphabet)) ? 'GSM-7' : 'UCS-2';
  const { single, each } = capacity[encoding];
  const starts = [0];
  let units = 0;
  let used = 0;
  for (const [index, character] of characters.entries()) {
    const of = size(character, encoding);
    if (used + of > each) {
      starts.push(index);
      used = 0;
    }
    used += of;
    units += of;
  }
  return { encoding, units, starts: units <= single ? [0] : starts };
}

/** How many of the characters fit, at least one. Bisects, because one more character never needs fewer segments. */
function headThatFits(characters: readonly string[], maxSegments: number, alphabet: SmsAlphabet): number {
  let fits = 1;
  let tooMany = characters.length + 1;
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (measure(characters.slice(0, middle), alphabet).segments <= maxSegments) fits = middle;
    else tooMany = middle;
  }
  return fits;
}

function maxCharacters(segments: number): number {
  const { single, each } = capacity['GSM-7'];
  return segments <= 1 ? single : segments * each;
}

function isGsm(character: string, alphabet: SmsAlphabet): boolean {
  const isIn = basic.has(character) || gsmExtension.has(character);
  return isIn && character.charCodeAt(0) <= highestCode[alphabet];
}

function size(character: string, encoding: SmsEncoding): number {
  if (encoding === 'UCS-2') return character.length;
  return gsmExtension.has(character) ? 2 : 1;
}
