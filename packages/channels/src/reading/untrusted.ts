import { scrub } from '@notify/core';

/** A JSON object of a provider's answer; empty if the value is none. */
export function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** The list with that name in a document; empty if there is none. */
export function listIn(document: unknown, name: string): readonly unknown[] {
  const found = objectOf(document)[name];
  return Array.isArray(found) ? found : [];
}

/** The text with that name in a document, storable and cut at `maxLength`; null if it is none, or empty. */
export function textIn(document: unknown, name: string, maxLength = 4_096): string | null {
  const found = objectOf(document)[name];
  const text = typeof found === 'string' ? scrub(found, maxLength) : '';
  return text === '' ? null : text;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
