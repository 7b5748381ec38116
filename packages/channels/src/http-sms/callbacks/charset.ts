import { byMark, utf16Of } from './byte-order.ts';

/** Names of charsets that gateways write and the encoding standard lacks. */
const others: ReadonlyMap<string, string> = new Map([['gsm', 'utf-8']]);

/** Names that mean that a message has no text (3GPP TS 23.038: 8-bit data). */
const binaries: ReadonlySet<string> = new Set(['8-bit', '8bit', 'binary']);

/** How the text of a message is written: by its charset, else by its coding. Null for a message that is no text. */
export function charsetOf(charset: string | null, coding: string | null): string | null {
  const name = (charset ?? '').trim().replaceAll('"', '').toLowerCase();
  if (binaries.has(name)) return null;
  if (name !== '') return utf16Of(name) ?? others.get(name) ?? name;
  const label = (coding ?? '').trim().toLowerCase();
  return codings.get(label) ?? utf16Of(label) ?? 'utf-8';
}

/** Numbers of the coding UCS-2: Kannel's, and the data coding scheme of SMPP. */
const codings: ReadonlyMap<string, string> = new Map([
  ['2', 'utf-16be'],
  ['8', 'utf-16be'],
]);

/** The text in these bytes, without a byte order mark. A charset that nobody knows is read as UTF-8. */
export function decodeText(bytes: Buffer, charset: string): string {
  try {
    return new TextDecoder(byMark(bytes, charset), { ignoreBOM: false }).decode(bytes);
  } catch {
    return bytes.toString('utf8');
  }
}
