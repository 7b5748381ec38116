/** Stands where a secret was. */
const redacted = '***';
/** Deeper than this an object is not logged. */
const maxDepth = 6;

/** Names whose values are never logged, at any depth; compared without case, `-` and `_`. */
const secretName =
  /(authorization|cookie|password|passwordhash|secret|secrets|token|apikey|masterkeys?|databaseurl|redisurl|connectionstring|^key|^settings)$/;

/** A copy of what is about to be logged, without secrets; errors are reduced to what is safe to show. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth >= maxDepth) return '[too deep]';
  if (Error.isError(value)) return describeError(value, depth);
  if (Array.isArray(value)) return value.map((item) => redact(item, depth + 1));
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  return redactFields(value, depth);
}

function redactFields(object: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(object)) {
    const value: unknown = object[name as keyof typeof object];
    const hidden = value !== null && value !== undefined && isSecretName(name);
    copy[name] = hidden ? redacted : redact(value, depth + 1);
  }
  return copy;
}

/** Names that were judged already: those in our own code are few. Others do not drive them out. */
const judged = new Map<string, boolean>();
const mostJudged = 1_000;

function isSecretName(name: string): boolean {
  const known = judged.get(name);
  if (known !== undefined) return known;
  const isSecret = secretName.test(name.toLowerCase().replace(/[-_]/g, ''));
  if (judged.size < mostJudged) judged.set(name, isSecret);
  return isSecret;
}

/**
 * An error as it is logged. Only these fields: drivers hang whole commands, their parameters and connection options on
 * their errors.
 */
function describeError(error: Error, depth: number): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  const { code, constraint, table } = error as Error & Record<'code' | 'constraint' | 'table', unknown>;
  const errors = error instanceof AggregateError ? error.errors : undefined;
  const nested = redactFields({ cause, errors }, depth);
  return { type: name, message, code, constraint, table, stack, ...nested };
}

/** What secrets look like inside a text: what to look for, and what to leave in its place. */
const shapes: readonly (readonly [RegExp, string])[] = [
  // Fields with a telling name: pino does not hand the bindings of a child logger to `redact`.
  [/("[\w-]*(?:password|secret|token|authorization|cookie|api-?key)":")(?:[^"\\]|\\.)*/gi, '$1***'],
  // User and password of a URL.
  [/:\/\/[^\s"/@]*@/g, '://***@'],
  // API keys, refresh tokens, webhook secrets.
  [/\b(svc_live_|rt_|whsec_)[\w+/=-]{8,}/g, '$1***'],
  // JWTs.
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+/g, 'eyJ***'],
  // The secret in the path of a provider's callback.
  [/(\/callbacks\/[^/\s"]+\/[^/\s"?]+\/)[^/\s"?\\]+/g, '$1***'],
];

/** One of these is in every text that has one of the shapes; to look for them takes less than half as long. */
const hints = [
  /:\/\/|svc_live_|rt_|whsec_|eyJ|\/callbacks\//,
  /password|secret|token|authorization|cookie|api-?key/i,
] as const;

/** A finished log line without what looks like a secret: the net below `redact`, for messages and stacks. */
export function scrubLine(line: string): string {
  if (!hints.some((hint) => hint.test(line))) return line;
  return shapes.reduce((text, [shape, replacement]) => text.replace(shape, replacement), line);
}
