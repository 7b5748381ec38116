/** Every place in a JSON document that holds no further values. */
export function pathsIn(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, child]) => pathsIn(child, [...path, name]))];
}

/** A copy of the document with another value at one place. */
export function replaced(value: unknown, [name, ...rest]: readonly string[], by: unknown): unknown {
  if (name === undefined) return by;
  if (Array.isArray(value))
    return value.map((child, at) => (String(at) === name ? replaced(child, rest, by) : child));
  const object = value as Record<string, unknown>;
  return { ...object, [name]: replaced(object[name], rest, by) };
}
