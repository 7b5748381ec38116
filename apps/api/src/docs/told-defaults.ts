/**
 * A part of the document with every `default` of a schema told in the schema's description instead. What has a default
 * may be left out; but generators of clients take the keyword to mean that the field is always there, and so demand it
 * of requests.
 */
export function tellDefaults<Part>(part: Part): Part {
  return told(part) as Part;
}

function told(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(told);
  if (typeof part !== 'object' || part === null) return part;
  if (!('default' in part) || !isSchema(part)) return withEach(part);
  const { default: value, description, ...rest } = part as Record<string, unknown>;
  const sentence = `Default: ${JSON.stringify(value)}.`;
  return {
    ...(withEach(rest) as object),
    description: typeof description === 'string' ? `${description} ${sentence}` : sentence,
  };
}

/** Not a map of fields, one of which is called `default`. */
function isSchema(part: object): boolean {
  return 'type' in part ? typeof part.type === 'string' : 'enum' in part || 'anyOf' in part;
}

function withEach(part: object): unknown {
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, told(value)]));
}
