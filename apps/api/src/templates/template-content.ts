import type { TemplateContent, TemplateParameters } from '@notify/core';
import type { FieldError } from '../problems/problem.ts';
import { judgeMediaUrl } from '../sending/media-url.ts';

/**
 * The content with its fields in a fixed order, so that idempotency compares what was asked for and not how it was
 * written.
 */
export function inFixedOrder({ name, language, parameters }: TemplateContent): TemplateContent {
  return { name, language, ...(parameters === undefined ? {} : { parameters: ordered(parameters) }) };
}

function ordered({ header, body, buttons }: TemplateParameters): TemplateParameters {
  return {
    ...(header === undefined ? {} : { header: sorted(header) }),
    ...(body === undefined ? {} : { body: Array.isArray(body) ? body : sorted(body) }),
    ...(buttons === undefined ? {} : { buttons: buttons.map(sorted) }),
  };
}

/** The same value with the fields of objects sorted by name, at any depth. */
function sorted<Value>(value: Value): Value {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value as Readonly<Record<string, unknown>>);
  return Object.fromEntries(
    entries.toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([name, inner]) => [name, sorted(inner)]),
  ) as Value;
}

/** The fault of the header's file, or null. `at` is the place of the content in the request. */
export function headerFault({ parameters }: TemplateContent, at: string): FieldError | null {
  const given: [string, unknown][] = Object.entries(parameters?.header ?? {});
  for (const [kind, file] of given) {
    const url = typeof file === 'object' && file !== null && 'url' in file ? file.url : null;
    const message = typeof url === 'string' ? judgeMediaUrl(url) : null;
    if (message !== null) return { at: `${at}/parameters/header/${kind}/url`, message };
  }
  return null;
}
