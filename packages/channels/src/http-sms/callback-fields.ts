import { readDocument, readForm } from '../callback-body.ts';
import type { CallbackRequest } from '../channel.ts';
import { textAt } from '../pointer.ts';

/** A value of a callback: as text, and as the bytes that were sent, where a charset other than UTF-8 may apply. */
export interface Field {
  readonly text: string;
  /** Null where the text was never anything but text: a header, or a value of JSON. */
  bytes(): Buffer | null;
}

export type FieldReader = (name: string) => Field | null;

/**
 * Finds the fields of a callback. `/a/b` is a JSON pointer into the body, `header:Name` a header, `body` the whole body.
 * Other names are looked up in the query, then in the form. The body is parsed only if a field asks for it, because
 * parsing a form as JSON costs an exception. A body that holds too much has no fields.
 */
export function fieldsOf(request: CallbackRequest): FieldReader {
  const { body, query, headers, url } = request;
  let form: URLSearchParams | undefined;
  let document: unknown;
  return (name) => {
    if (name === 'body') return { text: body.toString('utf8'), bytes: () => body };
    if (name.startsWith('header:')) return textOnly(headers[name.slice(7).toLowerCase()] ?? null);
    if (name.startsWith('/')) {
      if (document === undefined) document = readDocument(body);
      return textOnly(textAt(document, name));
    }
    const inQuery = query.get(name);
    if (inQuery !== null)
      return { text: inQuery, bytes: () => rawBytes(url.slice(url.indexOf('?') + 1), name) };
    const inForm = (form ??= readForm(body) ?? new URLSearchParams()).get(name);
    return inForm === null ? null : { text: inForm, bytes: () => rawBytes(body.toString('latin1'), name) };
  };
}

function textOnly(text: string | null): Field | null {
  return text === null ? null : { text, bytes: () => null };
}

/** The bytes of the first parameter with that name, percent-decoded, in whatever charset they are. */
function rawBytes(encoded: string, name: string): Buffer | null {
  for (const pair of encoded.split('&')) {
    const end = pair.indexOf('=');
    const [key, value] = end === -1 ? [pair, ''] : [pair.slice(0, end), pair.slice(end + 1)];
    if (decode(key).toString('utf8') === name) return decode(value);
  }
  return null;
}

function decode(encoded: string): Buffer {
  const latin1 = encoded
    .replaceAll('+', ' ')
    .replace(/%([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(latin1, 'latin1');
}
