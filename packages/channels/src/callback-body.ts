import { exceededJsonLimit } from '@notify/core';
import { parseJson } from './pointer.ts';

/**
 * More fields than any provider sends in a form. Twilio's longest callback has about 60, and 1,600 characters of text.
 */
const maxFields = 500;
const maxFormBytes = 65_536;
/** Meta's batches hold the most values, one per 30 bytes: 8,700 in the longest callback that the api accepts. */
const maxValues = 10_000;
const ampersand = 0x26;

/**
 * The fields of a callback's form. Null if the body is longer, or has more fields, than any provider sends; nothing is
 * parsed then.
 */
export function readForm(body: Buffer): URLSearchParams | null {
  const tooMuch = body.length > maxFormBytes || hasTooManyFields(body);
  return tooMuch ? null : new URLSearchParams(body.toString('utf8'));
}

/** The JSON document of a callback. Null if the body is not JSON, or holds more than any provider sends. */
export function readDocument(body: Buffer): unknown {
  const limits = { values: maxValues, contentBytes: Infinity };
  return exceededJsonLimit(body, limits) === null ? parseJson(body.toString('utf8')) : null;
}

function hasTooManyFields(body: Buffer): boolean {
  let fields = 0;
  for (let at = body.indexOf(ampersand); at !== -1; at = body.indexOf(ampersand, at + 1)) {
    fields += 1;
    if (fields >= maxFields) return true;
  }
  return false;
}
