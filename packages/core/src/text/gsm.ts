/**
 * The basic character set of 3GPP TS 23.038 (GSM 03.38), section 6.2.1: the place of each character is its code. The escape is at
 * 0x1b.
 */
export const gsmCharacters =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';

/** The code of the escape, which comes before each code of the extension table. */
export const gsmEscape = 0x1b;

/** The extension table of section 6.2.1.1: each character takes an escape and its code. */
export const gsmExtension: ReadonlyMap<string, number> = new Map([
  ['\f', 0x0a],
  ['^', 0x14],
  ['{', 0x28],
  ['}', 0x29],
  ['\\', 0x2f],
  ['[', 0x3c],
  ['~', 0x3d],
  [']', 0x3e],
  ['|', 0x40],
  ['€', 0x65],
]);
