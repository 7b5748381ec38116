/** Labels of UTF-16 and UCS-2, without their signs, and the order of bytes that each means without a byte order mark. */
const labels: ReadonlyMap<string, Utf16> = new Map([
  ['utf16', 'utf-16be'],
  ['utf16be', 'utf-16be'],
  ['utf16le', 'utf-16le'],
  ['ucs2', 'utf-16be'],
  ['ucs2be', 'utf-16be'],
  ['ucs2le', 'utf-16le'],
  ['iso10646ucs2', 'utf-16be'],
  ['iso10646ucs2be', 'utf-16be'],
  ['iso10646ucs2le', 'utf-16le'],
  ['csutf16', 'utf-16be'],
  ['csutf16be', 'utf-16be'],
  ['csutf16le', 'utf-16le'],
  ['cp1200', 'utf-16le'],
  ['cp1201', 'utf-16be'],
  ['unicodefffe', 'utf-16be'],
  ['unicodefeff', 'utf-16le'],
  ['unicode', 'utf-16be'],
  ['csunicode', 'utf-16be'],
]);

type Utf16 = 'utf-16be' | 'utf-16le';

/**
 * The charset of a label of UTF-16 or UCS-2, however it is spelled; null for another charset. Text without a byte order mark
 * is big endian (RFC 2781, section 4.3), as SMS are (3GPP TS 23.038, section 6.2.3).
 */
export function utf16Of(label: string): Utf16 | null {
  return labels.get(label.toLowerCase().replace(/[^a-z0-9]/g, '')) ?? null;
}

/**
 * The charset to decode these bytes by. A byte order mark decides between the two orders of UTF-16, whatever the label says
 * (RFC 2781, section 4.3); in the wrong order it would be no character at all.
 */
export function byMark(bytes: Uint8Array, charset: string): string {
  if (!charset.startsWith('utf-16')) return charset;
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return charset;
}
