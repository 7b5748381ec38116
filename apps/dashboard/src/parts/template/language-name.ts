import { language } from '../time/language.ts';

/** A language with its name: `en_US · American English`. Codes that have no name stand alone. */
export function languageName(code: string): string {
  const name = nameOf(code);
  return name === null ? code : `${code} · ${name}`;
}

function nameOf(code: string): string | null {
  try {
    const names = new Intl.DisplayNames([language], { type: 'language', fallback: 'none' });
    return names.of(code.replaceAll('_', '-')) ?? null;
  } catch {
    // The code has not the form of a language tag.
    return null;
  }
}
