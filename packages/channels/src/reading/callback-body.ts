import { exceededJsonLimit } from '@notify/core';
import { bodyText, inUtf8 } from './body-text.ts';
import { type Form, openForm } from './form.ts';
import { parseJson } from './json.ts';

/** More fields than any provider sends in a form. Twilio's longest callback has about 60. */
const maxFields = 500;
/** The longest callback that the api accepts. A text of 1 MB has 3 MB in a form. */
const maxFormBytes = 4 * 1_048_576;
/** More values than any provider but Meta sends. */
const maxValues = 10_000;
const ampersand = 0x26;

/**
 * The fields of a callback's form. Null if the body is longer, or has more fields, than any provider sends; nothing is
 * parsed then.
 */
export function readForm(body: Buffer): Form | null {
  return body.length > maxFormBytes || hasTooManyFields(body) ? null : openForm(inUtf8(body));
}

/**
 * The JSON document of a callback. Null if the body is not JSON, or holds more than `values`, by default more than any
 * provider sends.
 */
export function readDocument(body: Buffer, values = maxValues): unknown {
  const limits = { values, contentBytes: Infinity };
  const bytes = inUtf8(body);
  return exceededJsonLimit(bytes, limits) === null ? parseJson(bodyText(bytes)) : null;
}

function hasTooManyFields(body: Buffer): boolean {
  let fields = 0;
  for (let at = body.indexOf(ampersand); at !== -1; at = body.indexOf(ampersand, at + 1)) {
    fields += 1;
    if (fields >= maxFields) return true;
  }
  return false;
}
