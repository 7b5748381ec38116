import fc from 'fast-check';
import { plainWords } from './plain-words.ts';
import { codeMask } from './verification.ts';

const codes = fc.stringMatching(/^[0-9]{4,10}$/);

const digitsOf = (zero: number) => (code: string) =>
  code.replaceAll(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));
const escaped =
  (before: string, after = '') =>
  (code: string) =>
    code.replaceAll(/\d/g, (digit) => before + digit.charCodeAt(0).toString(16) + after);
const bytesAs = (encoding: 'hex' | 'base64' | 'base64url', charset: 'utf8' | 'utf16le') => (code: string) =>
  Buffer.from(code, charset).toString(encoding);
const swapped = (text: string) => Buffer.from(text, 'utf16le').swap16();
const between = (separator: string) => (code: string) => code.split('').join(separator);

/** How gateways write a text that they quote. */
const quotings: Readonly<Record<string, (code: string) => string>> = {
  plain: (code) => code,
  'with blanks': between(' '),
  'with three separators': between(' - '),
  'with many separators': between(' . - . '),
  'with zero-width characters': between('\u200b'),
  'with words': between(' and '),
  reversed: (code) => code.split('').reverse().join(''),
  hex: bytesAs('hex', 'utf8'),
  'hex of UCS-2': (code) => swapped(code).toString('hex'),
  'hex of little-endian UCS-2': bytesAs('hex', 'utf16le'),
  'hex with blanks': escaped(' '),
  base64: bytesAs('base64', 'utf8'),
  base64url: bytesAs('base64url', 'utf8'),
  'base64 of UCS-2': (code) => swapped(code).toString('base64'),
  'base64 of little-endian UCS-2': bytesAs('base64', 'utf16le'),
  'base64 twice': (code) => btoa(btoa(code)),
  'HTML entities': (code) => code.replaceAll(/\d/g, (digit) => `&#${digit.charCodeAt(0)};`),
  'hex HTML entities': escaped('&#x', ';'),
  'JSON escapes': escaped('\\u00'),
  'C escapes': escaped('\\x'),
  'percent escapes': escaped('%'),
  'percent escapes twice': escaped('%25'),
  'quoted-printable': escaped('='),
  'full-width digits': digitsOf(0xff10),
  'Arabic-Indic digits': digitsOf(0x660),
  'Devanagari digits': digitsOf(0x966),
  'mathematical digits': digitsOf(0x1d7d8),
  'circled digits': digitsOf(0x245f),
  'Chinese digits': (code) => code.replaceAll(/\d/g, (digit) => '〇一二三四五六七八九'[Number(digit)]!),
  keycaps: (code) => code.replaceAll(/\d/g, (digit) => `${digit}\ufe0f\u20e3`),
  Morse: (code) => code.replaceAll(/\d/g, (digit) => `${morse[Number(digit)]} `),
  base32: base32Of,
};

const morse = ['-----', '.----', '..---', '...--', '....-', '.....', '-....', '--...', '---..', '----.'];

function base32Of(text: string): string {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits
    .match(/.{1,5}/g)!
    .map((five) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
}

describe.each(Object.entries(quotings))('a code that a provider quotes: %s', (_, quoted) => {
  test.each([
    ['alone', (code: string) => quoted(code)],
    ['in JSON', (code: string) => `HTTP 400: {"error":"Cannot send","text":"${quoted(code)}"}`],
    ['in a text that is quoted whole', (code: string) => quoted(`${code} is`)],
  ])('%s, is not in what is kept', (place, quote) => {
    fc.assert(
      fc.property(codes, (code) => {
        const kept = plainWords(quote(code));
        expect(kept).not.toMatch(/\p{N}/u);
        expect(kept.replaceAll(codeMask, '')).not.toContain(quoted(code));
        // Nothing that could be decoded is left.
        const words = kept.replaceAll(codeMask, ' ').match(/\p{L}+/gu) ?? [];
        const ours = ['HTTP', 'error', 'Cannot', 'send', 'text', 'and', 'is', 'si', 'i', 's'];
        expect(words.filter((word) => !ours.includes(word))).toEqual([]);
        expect(kept.includes('Cannot send')).toBe(place === 'in JSON');
      }),
    );
  });
});

test.each([
  ['HTTP 422: {"detail":"Text of 483921 refused"}', 'HTTP ••••••: {"detail":"Text of •••••• refused"}'],
  ['No response (timeout): the peer closed it.', 'No response (timeout): the peer closed it.'],
  ['Der Empfänger ist gesperrt; not-found, a/b', 'Der Empfänger ist gesperrt; not-found, a/b'],
  ['id:7 sub:001 stat:DELIVRD text:4 8 3 is it', 'id:•••••• sub:•••••• stat:DELIVRD text:•••••• is it'],
  ['получатель недоступен', 'получатель недоступен'],
  ['cannot send GEZD GNBV GY to you', 'cannot send •••••• to you'],
  ['text: GEZD-GNBV-GY', 'text: ••••••'],
  ['you send text Njcw Njcw', 'you send text ••••••'],
  ['code 〇壱弐参', 'code ••••••'],
  ['', ''],
])('of “%s” is kept “%s”', (text, kept) => {
  expect(plainWords(text)).toBe(kept);
});
