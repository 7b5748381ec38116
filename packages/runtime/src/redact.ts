/** Replaces a secret. */
const redacted = '***';
/** Objects below this depth are not logged. */
const maxDepth = 6;

/** Names whose values are never logged, at any depth. Compared without case, `-` and `_`. */
const secretName =
  /(authorization|cookie|password|passwordhash|secret|secrets|token|apikey|masterkeys?|databaseurl|redisurl|smtpurl|connectionstring|^key|^settings)$/;

/** A copy of a value to log, without secrets. Errors are reduced to their safe fields. */
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

/** The results for known names. Our own code has few names, and others do not evict them. */
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
 * The loggable fields of an error. Only these: drivers attach whole commands, their parameters and connection options
 * to their errors.
 */
function describeError(error: Error, depth: number): Record<string, unknown> {
  const { name, message, stack, cause } = error;
  const { code, constraint, table } = error as Error & Record<'code' | 'constraint' | 'table', unknown>;
  const errors = error instanceof AggregateError ? error.errors : undefined;
  const nested = redactFields({ cause, errors }, depth);
  return { type: name, message, code, constraint, table, stack, ...nested };
}

/** Patterns of secrets inside a text, and their replacements. */
const shapes: readonly (readonly [RegExp, string])[] = [
  // Fields with a secret's name, because pino does not pass the bindings of a child logger to `redact`.
  [/("[\w-]*(?:password|secret|token|authorization|cookie|api-?key)":")(?:[^"\\]|\\.)*/gi, '$1***'],
  // User and password of a URL.
  [/:\/\/[^\s"/@]*@/g, '://***@'],
  // API keys, service tokens, refresh tokens, webhook secrets, tokens of links.
  [/\b(svc_live_|svc_tok_|rt_|whsec_|lnk_)[\w+/=-]{8,}/g, '$1***'],
  // JWTs.
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]+/g, 'eyJ***'],
  // The secret in the path of a provider's callback.
  [/(\/callbacks\/[^/\s"]+\/[^/\s"?]+\/)[^/\s"?\\]+/g, '$1***'],
];

/** Every text with one of the patterns matches one of these. Testing them first takes less than half as long. */
const hints = [
  /:\/\/|svc_live_|svc_tok_|rt_|whsec_|lnk_|eyJ|\/callbacks\//,
  /password|secret|token|authorization|cookie|api-?key/i,
] as const;

/** A finished log line without patterns of secrets: the safety net below `redact`, for messages and stacks. */
export function scrubLine(line: string): string {
  if (!hints.some((hint) => hint.test(line))) return line;
  return shapes.reduce((text, [shape, replacement]) => text.replace(shape, replacement), line);
}
