import { gsmCharacters, gsmEscape, gsmExtension, type SmsAlphabet } from '@notify/core';

/** Values of `data_coding` (SMPP 3.4, 5.2.19). */
export const dataCodings = { default: 0x00, ascii: 0x01, ucs2: 0x08 } as const;

const basicCodes: ReadonlyMap<string, number> = new Map(
  Array.from(gsmCharacters).map((character, code) => [character, code]),
);
const extensionCharacters: ReadonlyMap<number, string> = new Map(
  [...gsmExtension].map(([character, code]) => [code, character]),
);

/** The octets of a text in the SMSC's default alphabet. GSM 03.38 is unpacked: one septet an octet. */
export function encodeDefault(text: string, alphabet: SmsAlphabet): Buffer {
  if (alphabet !== 'gsm-03.38') return Buffer.from(text, 'latin1');
  return Buffer.from(Array.from(text).flatMap(gsmCodes));
}

function gsmCodes(character: string): readonly number[] {
  const code = basicCodes.get(character);
  if (code !== undefined) return [code];
  const extended = gsmExtension.get(character);
  if (extended === undefined) throw new RangeError('a character that GSM 03.38 lacks');
  return [gsmEscape, extended];
}

/** UCS-2, big endian and without a byte order mark. A character beyond it is a surrogate pair, as phones read it. */
export function encodeUcs2(text: string): Buffer {
  return Buffer.from(text, 'utf16le').swap16();
}

/** Other alphabets of `data_coding`, by their names in the encoding standard. */
const charsets: ReadonlyMap<number, string> = new Map([
  [0x05, 'shift_jis'],
  [0x06, 'iso-8859-5'],
  [0x07, 'iso-8859-8'],
  [0x0a, 'iso-2022-jp'],
  [0x0d, 'euc-jp'],
  [0x0e, 'euc-kr'],
]);

/**
 * The text of an incoming message. Null for octets that are no text: `data_coding` 2, 4 and the 8-bit classes. An odd last octet of
 * UCS-2 is dropped. An unknown coding is read as the default alphabet.
 */
export function decodeText(octets: Buffer, dataCoding: number, alphabet: SmsAlphabet): string | null {
  if (isBinary(dataCoding)) return null;
  if (isUcs2(dataCoding)) return decodeUcs2(octets);
  if (dataCoding === 0x01 || dataCoding === 0x03) return octets.toString('latin1');
  const charset = charsets.get(dataCoding);
  if (charset !== undefined) return new TextDecoder(charset).decode(octets);
  return alphabet === 'gsm-03.38' ? decodeGsm(octets) : octets.toString('latin1');
}

/** The groups of 3GPP TS 23.038 (section 4) that SMSCs pass on unchanged: 00xx with an alphabet, and 1111 with a class. */
function isBinary(dataCoding: number): boolean {
  if (dataCoding === 0x02 || dataCoding === 0x04) return true;
  return isWithClass(dataCoding) && (dataCoding & 0x0c) === 0x04;
}

function isUcs2(dataCoding: number): boolean {
  return dataCoding === 0x08 || (isWithClass(dataCoding) && (dataCoding & 0xcc) === 0x08);
}

function isWithClass(dataCoding: number): boolean {
  return (dataCoding & 0xd0) === 0x10 || (dataCoding & 0xf0) === 0xf0;
}

function decodeUcs2(octets: Buffer): string {
  const even = octets.subarray(0, octets.length - (octets.length % 2));
  return new TextDecoder('utf-16be').decode(even);
}

/** An escape before a code that the extension table lacks is a space, and the code is read for itself (6.2.1.1). */
function decodeGsm(octets: Buffer): string {
  let text = '';
  for (let at = 0; at < octets.length; at += 1) {
    const code = octets[at]! & 0x7f;
    const extended = code === gsmEscape ? extensionCharacters.get((octets[at + 1] ?? 0) & 0x7f) : undefined;
    if (extended !== undefined) at += 1;
    text += extended ?? (code === gsmEscape ? ' ' : gsmCharacters[code]!);
  }
  return text;
}
