import { follow } from './openapi.ts';

/** A schema of the document with its references, at any depth, replaced by what they lead to. None leads back to itself. */
export function resolved(document: unknown, schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map((one) => resolved(document, one));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref, ...own } = schema as { readonly $ref?: string };
  const named = $ref === undefined ? {} : (follow(document, $ref.slice(1))?.value as object);
  return Object.fromEntries(
    Object.entries({ ...named, ...own }).map(([key, value]) => [key, resolved(document, value)]),
  );
}
