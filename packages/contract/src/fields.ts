import Type, { type TSchema, type TUnion } from 'typebox';

/** A field that is always present and null until it is known. */
export function nullable<T extends TSchema>(schema: T): TUnion<[T, Type.TNull]> {
  return Type.Union([schema, Type.Null()]);
}

/** ISO 8601, UTC, with milliseconds. */
export const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T09:30:00.000Z'] });

/** A bare UUID, in any case. */
export function uuid(description?: string): Type.TString {
  return Type.String({
    pattern: '^[0-9A-Fa-f]{8}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{4}-[0-9A-Fa-f]{12}$',
    examples: ['01912d68-783e-7a52-9d3a-6c4f2b1e8a90'],
    ...(description === undefined ? {} : { description }),
  });
}

/** An id in the interface: a prefix, then a UUIDv7. */
export function prefixedId(prefix: string, description: string): Type.TString {
  return Type.String({ description, examples: [`${prefix}_01912d68-783e-7a52-9d3a-6c4f2b1e8a90`] });
}

/** Matches a text without control characters and without line ends. */
export const withoutControls = '^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$';

/** The name of a file, which becomes part of a header at some providers (RFC 7578, 4.2). */
export function filename(description?: string): Type.TString {
  return Type.String({
    maxLength: 255,
    pattern: withoutControls,
    ...(description === undefined ? {} : { description }),
  });
}
