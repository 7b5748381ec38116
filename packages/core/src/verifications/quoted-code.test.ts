import fc from 'fast-check';
import { isQuote } from './quoted-code.ts';

const base32Letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';
const each = (write: (digit: string) => string, between: string) => (code: string) =>
  code
    .split('')
    .map((digit) => write(digit))
    .join(between);
const radix = (base: number, before: string) => (digit: string) =>
  before + digit.charCodeAt(0).toString(base);
const base32Of = (text: string) => {
  const bits = [...Buffer.from(text)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return bits
    .match(/.{1,5}/g)!
    .map((five) => base32Letters[Number.parseInt(five.padEnd(5, '0'), 2)])
    .join('');
};

test.each<[string, (code: string) => string]>([
  ['as it is', (code) => code],
  ['with colons', each((digit) => digit, ':')],
  ['with slashes', each((digit) => digit, '/')],
  ['with many separators', each((digit) => digit, '____')],
  ['in hex', each(radix(16, ''), '')],
  ['in hex with dashes', each(radix(16, ''), '-')],
  ['in the hex of UCS-2', each(radix(16, '00'), '')],
  ['in u escapes', each(radix(16, 'u00'), '')],
  ['in quoted-printable', each(radix(16, '='), '')],
  ['in octal', each(radix(8, '0'), '')],
  ['in decimal', each(radix(10, ''), '')],
  ['in base64', (code) => Buffer.from(code).toString('base64')],
  ['in the base64 of UCS-2', (code) => Buffer.from(code, 'utf16le').toString('base64')],
  ['in the base64url of a text', (code) => Buffer.from(`Code ${code}.`).toString('base64url')],
  ['in base32', (code) => base32Of(code)],
  ['in the base32 of a text', (code) => base32Of(`Hi ${code}`)],
  ['in what no id has', (code) => `id ${code}`],
])('an id that has the code %s quotes it', (_, quoted) => {
  fc.assert(
    fc.property(fc.stringMatching(/^[0-9]{4,10}$/), fc.constantFrom('', 'x-', 'id.'), (code, before) => {
      expect(isQuote(before + quoted(code), code)).toBe(true);
    }),
  );
});

test('a longer number that has the digits by chance is no quote, nor is an ordinary id', () => {
  expect(isQuote('12345678901234567890', '4567')).toBe(false);
  expect(isQuote('SM9f8e7d6c5b4a32100f1e2d3c4b5a6978', '123456')).toBe(false);
  // Meta's ids are the base64 of bytes that have the recipient's number.
  const wamid = Buffer.from('\x1d\x18\x0d4915112345678\x15\x02\x00\x11\x18\x12ABCDEF\x00', 'latin1');
  expect(isQuote(`wamid.${wamid.toString('base64')}`, '1234')).toBe(false);
});
