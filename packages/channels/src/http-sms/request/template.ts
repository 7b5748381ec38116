/** Encodes a value for its place in a request, so that it stays a value there. */
export type Encoder = (value: string) => string;

const placeholder = /\{\{ *([a-z_]+(?:\.\w+)?) *\}\}/g;

/** Fills a template. A placeholder without a value becomes empty (`check` refuses unknown ones beforehand). */
export function fill(template: string, values: ReadonlyMap<string, string>, encode: Encoder): string {
  return template.replace(placeholder, (_, name: string) => encode(values.get(name) ?? ''));
}

/** The template with every placeholder in its shortest spelling. */
export function shortest(template: string): string {
  return template.replace(placeholder, '{{$1}}');
}

/** The names of the placeholders in a template. */
export function placeholdersIn(template: string): readonly string[] {
  return [...template.matchAll(placeholder)].map((match) => match[1] ?? '');
}

/** A template without its placeholders. */
export function literalOf(template: string): string {
  return template.replace(placeholder, '');
}

/** True if double braces remain that are not a placeholder, such as `{{To}}`. */
export function hasStrayBraces(template: string): boolean {
  return /\{\{[^{}]*\}\}/.test(literalOf(template));
}

/** For a URL, a query or a form: percent-encoded UTF-8. */
export const urlEncoded: Encoder = (value) => encodeURIComponent(value.toWellFormed());

/** For a place between the quotes of a JSON string. */
export const jsonEscaped: Encoder = (value) => JSON.stringify(value).slice(1, -1);

/**
 * For a header: everything but printable ASCII becomes percent-encoded UTF-8, line ends included. A percent sign stays.
 */
export const headerSafe: Encoder = (value) =>
  value.toWellFormed().replace(/[^\x20-\x7e]+/g, encodeURIComponent);

/** For a body of plain text: unchanged. */
export const verbatim: Encoder = (value) => value;

/** Fills each field and encodes them for a query or a form. Empty fields are left out. */
export function fillFields(
  fields: Readonly<Record<string, string>>,
  values: ReadonlyMap<string, string>,
): string {
  return Object.entries(fields)
    .map(([name, template]) => [name, fill(template, values, verbatim)] as const)
    .filter(([, value]) => value !== '')
    .map(([name, value]) => `${urlEncoded(name)}=${urlEncoded(value)}`)
    .join('&');
}
