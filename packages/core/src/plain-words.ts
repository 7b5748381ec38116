import { codeMask } from './verification.ts';

/** What stands between blanks and the signs that enclose or end a part of a text. */
const token = /[^\s"'(){}[\]<>,:;!?|]+/gu;
/** Signs that join words, such as `not-found` and `to=`. */
const joint = /[-_./=&@*’]/u;
/** Digits in Morse code have five signs. */
const manySigns = /\p{P}{4}/u;
/** A word in one case or with a capital, or in a script without cases. Base64 of four digits has a capital inside. */
const word = /^(?:\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|[\p{Lo}\p{Lm}\p{M}]+)$/u;
/** Chinese digits are letters to Unicode. */
const chineseDigit = /[〇零一二三四五六七八九壹贰貳叁參肆伍陆陸柒捌玖]/u;
const masks = new RegExp(`${codeMask}(?:[^\\p{L}•]*${codeMask})+`, 'gu');

/**
 * What a provider said, without everything that could hold digits: in any script, with anything between them, or encoded. Only
 * plain words are kept, with the signs between them; the mask stands for the rest. So no list of encodings is needed, and
 * the text needs no comparison with a code. A one-time code has at least four digits.
 */
export function plainWords(text: string): string {
  return text.replace(token, (one) => (isPlain(one) ? one : codeMask)).replace(masks, codeMask);
}

function isPlain(text: string): boolean {
  if (chineseDigit.test(text) || manySigns.test(text)) return false;
  return text.split(joint).every((one) => one === '' || (word.test(one) && !isBase32OfDigits(one)));
}

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** Base32 (RFC 4648, section 6) can write digits in capitals alone. */
function isBase32OfDigits(text: string): boolean {
  const bits = text
    .toUpperCase()
    .split('')
    .map((one) => base32.indexOf(one).toString(2).padStart(5, '0'))
    .join('');
  const bytes = bits.match(/.{8}/g) ?? [];
  return /\d{4}/.test(bytes.map((byte) => String.fromCharCode(Number.parseInt(byte, 2))).join(''));
}
