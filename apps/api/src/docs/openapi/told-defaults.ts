/**
 * A part of the document whose schemas state each `default` in their description instead. A field with a default is
 * optional, but client generators read the keyword as a promise that the field is always there, and so require it in
 * requests.
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

/** Tells a schema from a map of fields that has a field named `default`. */
function isSchema(part: object): boolean {
  return 'type' in part ? typeof part.type === 'string' : 'enum' in part || 'anyOf' in part;
}

function withEach(part: object): unknown {
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, told(value)]));
}
