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

/** The basic character set of 3GPP TS 23.038 (GSM 03.38), section 6.2.1, without the escape. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);

/** The extension table of section 6.2.1.1: each takes an escape and a septet. */
const extension = new Set('\f^{}\\[~]|€');

/** Counts the segments of a text: one has 160 septets or 70 code units, each of several has 153 or 67. */
export function smsSegments(text: string): SmsSegments {
  return measure(Array.from(text));
}

/**
 * Cuts a text into texts of at most `maxSegmentsPerText` (1 or more) segments each, as `cutText` does. The phone joins the segments
 * of one text, but shows each text by itself. Escape sequences and surrogate pairs stay whole. Each text is encoded on its own: only
 * those that need it use UCS-2.
 */
export function splitSms(text: string, maxSegmentsPerText: number, cut: Cut): readonly string[] {
  return cutText(text, (whole, start) => endThatFits(whole, start, maxSegmentsPerText), cut);
}

function endThatFits(text: string, start: number, maxSegments: number): number {
  const most = maxCharacters(maxSegments);
  // A character has at most two code units.
  const characters = Array.from(text.slice(start, start + 2 * most)).slice(0, most);
  const fitting = characters.slice(0, headThatFits(characters, maxSegments));
  return start + fitting.reduce((length, character) => length + character.length, 0);
}

function measure(characters: readonly string[]): SmsSegments {
  const encoding = characters.every(isGsm) ? 'GSM-7' : 'UCS-2';
  const sizes = characters.map((character) => size(character, encoding));
  const units = sizes.reduce((sum, of) => sum + of, 0);
  const { single, each } = capacity[encoding];
  return { encoding, units, segments: units <= single ? 1 : fill(sizes, each) };
}

/** A character of two units that does not fit the rest of a segment goes into the next one. */
function fill(sizes: readonly number[], each: number): number {
  let segments = 1;
  let used = 0;
  for (const size of sizes) {
    if (used + size > each) {
      segments += 1;
      used = 0;
    }
    used += size;
  }
  return segments;
}

/** How many of the characters fit, at least one. Bisects, because one more character never needs fewer segments. */
function headThatFits(characters: readonly string[], maxSegments: number): number {
  let fits = 1;
  let tooMany = characters.length + 1;
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2);
    if (measure(characters.slice(0, middle)).segments <= maxSegments) fits = middle;
    else tooMany = middle;
  }
  return fits;
}

function maxCharacters(segments: number): number {
  const { single, each } = capacity['GSM-7'];
  return segments <= 1 ? single : segments * each;
}

function isGsm(character: string): boolean {
  return basic.has(character) || extension.has(character);
}

function size(character: string, encoding: SmsEncoding): number {
  if (encoding === 'UCS-2') return character.length;
  return extension.has(character) ? 2 : 1;
}
