/** Replaces a secret. */
const redacted = '***';
/** Objects below this depth are not logged. */
const maxDepth = 6;
/** Of longer texts and lists, only the beginning is logged. */
const mostCharacters = 8_192;
const mostItems = 100;

/** Names whose values are never logged, at any depth. Compared without case, `-` and `_`. */
const secretName =
  /(authorization|cookie|password|passwordhash|secret|secrets|token|apikey|masterkeys?|databaseurl|redisurl|smtpurl|connectionstring|^key|^settings)$/;

/** A copy of a value to log, without secrets. Errors are reduced to their safe fields. */
export function redact(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return shortened(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth >= maxDepth) return '[too deep]';
  if (Error.isError(value)) return describeError(value, depth);
  if (Array.isArray(value)) return redactList(value, depth);
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  return redactFields(value, depth);
}

function redactList(list: readonly unknown[], depth: number): unknown[] {
  const shown = list.slice(0, mostItems).map((item) => redact(item, depth + 1));
  return list.length > mostItems ? [...shown, `… ${list.length - mostItems} more`] : shown;
}

/** At most as many characters as a log line should have for one text. */
function shortened(text: string): string {
  return text.length > mostCharacters ? `${text.slice(0, mostCharacters)}…` : text;
}

function redactFields(object: object, depth: number): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const name of Object.keys(object).slice(0, mostItems)) {
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
  const texts = { message: shortened(message), stack: stack && shortened(stack) };
  return { type: name, ...texts, code, constraint, table, ...nested };
}

/** Patterns of secrets inside a text, and their replacements. */
const shapes: readonly (readonly [RegExp, string])[] = [
  // Fields with a secret's name in a text that has JSON in it.
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
