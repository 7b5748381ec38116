// oxlint-disable-next-line no-control-regex -- NUL is exactly what is looked for
const nul = /\u0000/g;

/** Length in Unicode code points, the unit of the interface's limits. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** False for text with a NUL or a lone surrogate, which Postgres or UTF-8 cannot hold. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}

/**
 * Makes text from a provider or a receiver storable: cuts it at `maxLength`, removes NULs and replaces lone surrogates
 * by U+FFFD.
 */
export function scrub(text: string, maxLength = 4096): string {
  return text.slice(0, maxLength).replace(nul, '').toWellFormed();
}

const encoder = new TextEncoder();

/** The beginning of a text, at most `maxBytes` of UTF-8. A character is kept whole or left out. */
export function cutUtf8(text: string, maxBytes: number): string {
  if (3 * text.length <= maxBytes) return text;
  return text.slice(0, encoder.encodeInto(text, new Uint8Array(maxBytes)).read);
}
