/** A problem (RFC 7807) as Vonage writes it, in answers and in receipts. */
export interface Problem {
  /** The fragment of `type`, such as `1000` or `low-balance`; null if there is none. */
  readonly code: string | null;
  /** `title: detail`, as far as they exist, at full length and with any secrets still in it. */
  readonly text: string | null;
}

/** Reads a problem from any value; `title` may be a number. */
export function readProblem(value: unknown): Problem {
  const { type, title, detail } = fieldsOf(value);
  const fragment = typeof type === 'string' ? (/#([\w-]{1,100})$/.exec(type)?.[1] ?? null) : null;
  const words = [title, detail].filter((word) => typeof word === 'string' || typeof word === 'number');
  return { code: fragment, text: words.length === 0 ? null : words.join(': ') };
}

/** The fields of a JSON object; empty for any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
