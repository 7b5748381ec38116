import type { CallbackRequest } from '../../adapter/channel.ts';
import { readDocument, readForm } from '../../reading/callback-body.ts';
import { type Form, maxValueBytes, openForm } from '../../reading/form.ts';
import { textAt, valueAt } from '../../reading/pointer.ts';

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
 * parsing a form as JSON costs an exception. A body that holds too much has no fields. A value is cut before it is decoded,
 * at more than is stored of a text.
 */
export function fieldsOf(request: CallbackRequest): FieldReader {
  const { body, headers, url } = request;
  const begin = url.indexOf('?') + 1;
  const query = openForm(Buffer.from(begin === 0 ? '' : url.slice(begin)));
  let form: Form | undefined;
  let document: unknown;
  return (name) => {
    if (name === 'body') return inBytes(body.subarray(0, maxValueBytes));
    if (name.startsWith('header:')) return textOnly(headers[name.slice(7).toLowerCase()] ?? null);
    if (name.startsWith('/')) {
      if (document === undefined) document = readDocument(body);
      return textOnly(textAt(document, name));
    }
    const found = query.bytes(name) ?? (form ??= readForm(body) ?? openForm(Buffer.alloc(0))).bytes(name);
    return found === null ? null : inBytes(found);
  };
}

/**
 * Finds the fields of each item of the list at this JSON pointer of the body; null without a list. A field is named by a
 * JSON pointer into its item.
 */
export function itemsOf({ body }: CallbackRequest, list: string): readonly FieldReader[] | null {
  const items = valueAt(readDocument(body), list);
  if (!Array.isArray(items)) return null;
  return items.map(
    (item: unknown): FieldReader =>
      (name) =>
        name.startsWith('/') ? textOnly(textAt(item, name)) : null,
  );
}

function inBytes(bytes: Buffer): Field {
  return {
    get text() {
      return bytes.toString('utf8');
    },
    bytes: () => bytes,
  };
}

function textOnly(text: string | null): Field | null {
  return text === null ? null : { text: text.slice(0, maxValueBytes), bytes: () => null };
}
