import { digitsWithin } from './encoded-digits.ts';
import { codeMask } from './verification.ts';

/** What stands between blanks and the signs that enclose or end a part of a text. */
const token = /[^\s"'(){}[\]<>,:;!?|]+/gu;
/** Signs that join words, such as `not-found` and `to=`. */
const joint = /[-_./=&@*’]/u;
/** Digits in Morse code have five signs. */
const manySigns = /\p{P}{4}/u;
/** A word in one case or with a capital, or in a script without cases. Base64 of four digits has a capital inside. */
const word = /^(?:\p{Lu}?[\p{Ll}\p{M}]+|\p{Lu}+|[\p{Lo}\p{Lm}\p{M}]+)$/u;
/** Chinese and Japanese digits are letters to Unicode. */
export const chineseDigit = /[〇零一二三四五六七八九壹壱弌贰貳弐叁參叄参肆伍陆陸柒捌玖幺两兩廿卅]/u;
const letters = /\p{L}+/gu;
const masks = new RegExp(`${codeMask}(?:[^\\p{L}•]*${codeMask})+`, 'gu');

/**
 * What a provider said, without everything that could hold digits: in any script, with anything between them, or encoded. Only
 * plain words are kept, with the signs between them; the mask stands for the rest. So no list of encodings is needed, and
 * the text needs no comparison with a code. A one-time code has at least four digits.
 */
export function plainWords(text: string): string {
  const plain = text.replace(token, (one) => (isPlain(one) ? one : codeMask));
  return withoutEncoded(plain).replace(masks, codeMask);
}

function isPlain(text: string): boolean {
  if (chineseDigit.test(text) || manySigns.test(text)) return false;
  return text.split(joint).every((one) => one === '' || word.test(one));
}

/** Longer than any way to encode ten digits in letters alone. */
const longestEncoded = 64;

/** Masks words that together are the base64 or base32 of digits: `GEZD-GNBV` is that of `12345`. */
function withoutEncoded(text: string): string {
  const words = [...text.matchAll(letters)];
  const masked = new Set<number>();
  words.forEach((_, first) => {
    const following = words.slice(first, first + longestEncoded).map(([one]) => one);
    const found = digitsWithin(following.join('').slice(0, longestEncoded));
    if (found === null) return;
    const [from, to] = found;
    let place = 0;
    following.forEach((one, after) => {
      if (place < to && place + one.length > from) masked.add(first + after);
      place += one.length;
    });
  });
  let at = -1;
  return text.replace(letters, (one) => {
    at += 1;
    return masked.has(at) ? codeMask : one;
  });
}
