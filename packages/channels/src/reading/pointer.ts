/** The value at a JSON pointer (RFC 6901); undefined when there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  // A callback of Meta may hold thousands of updates, and most pointers have one step.
  const isStep = !pointer.includes('/', 1) && !pointer.includes('~');
  return isStep
    ? childOf(document, pointer.slice(1))
    : pointer.split('/').slice(1).map(unescapeToken).reduce(childOf, document);
}

/** The value at a JSON pointer (RFC 6901), as text; null when there is none, or when it is an object or a list. */
export function textAt(document: unknown, pointer: string): string | null {
  const value = valueAt(document, pointer);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : null;
}

function childOf(parent: unknown, token: string): unknown {
  if (typeof parent !== 'object' || parent === null || !Object.hasOwn(parent, token)) return undefined;
  return (parent as Record<string, unknown>)[token];
}

function unescapeToken(token: string): string {
  return token.replaceAll('~1', '/').replaceAll('~0', '~');
}
