// oxlint-disable-next-line no-control-regex -- NUL is exactly what is looked for
const nul = /\u0000/g;

/** Length in Unicode code points, which is what the interface's limits count. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** False for text that Postgres or UTF-8 cannot hold: a NUL or a lone surrogate in it. */
export function isStorable(text: string): boolean {
  return text.isWellFormed() && !text.includes('\u0000');
}

/** Makes text from a provider or a receiver storable: NULs go, lone surrogates become U+FFFD, the rest is cut at `maxLength`. */
export function scrub(text: string, maxLength = 4096): string {
  return text.slice(0, maxLength).replace(nul, '').toWellFormed();
}
