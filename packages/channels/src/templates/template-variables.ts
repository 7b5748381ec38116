import { scrub, type TemplateText, type TemplateVariable } from '@notify/core';

/** Longer texts in a provider's list are cut. Meta's bodies have up to 1,024 characters, Twilio's up to 1,600. */
const maxTextLength = 4_096;
const maxNameLength = 100;
/** More variables than a provider allows in one text. */
const maxVariables = 200;
const placeholder = /\{\{\s{0,5}(\w{1,100})\s{0,5}\}\}/g;

/** The names in a text with `{{name}}`, each once: positional ones by number, others as they appear. */
export function placeholdersIn(text: string): readonly string[] {
  const found = Array.from(text.matchAll(placeholder), ([, name = '']) => name);
  const names = [...new Set(found)].slice(0, maxVariables);
  return names.every(isPosition) ? names.toSorted((a, b) => Number(a) - Number(b)) : names;
}

/** Whether a variable is a position, such as `1`, not a name. */
export function isPosition(name: string): boolean {
  return /^[1-9]\d{0,3}$/.test(name);
}

/** A text with its variables; `exampleOf` gives the sample value of each. */
export function templateText(text: string, exampleOf: (name: string) => string | null): TemplateText {
  const cut = scrub(text, maxTextLength);
  return { text: cut, variables: variables(placeholdersIn(cut), exampleOf) };
}

/** Variables with these names. */
export function variables(
  names: readonly string[],
  exampleOf: (name: string) => string | null,
): readonly TemplateVariable[] {
  return names.map((name) => ({ name: name.slice(0, maxNameLength), example: exampleOf(name) }));
}
