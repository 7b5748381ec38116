import { readFileSync } from 'node:fs';

/** An operation that takes a body. */
export interface BodyOperation {
  readonly id: string;
  readonly method: string;
  /** With its parameters filled in. */
  readonly path: string;
  readonly credential: 'api-key' | 'bearer' | 'none';
  /** A valid body. */
  readonly example: unknown;
}

interface Described {
  readonly operationId: string;
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly example?: unknown } };
  };
}

type Paths = Readonly<Record<string, Readonly<Record<string, Described>>>>;

/** Every operation that takes a body, as the published document lists them. A new one needs nothing here. */
export function bodyOperations(): readonly BodyOperation[] {
  const file = new URL('../../../openapi.json', import.meta.url);
  const { paths } = JSON.parse(readFileSync(file, 'utf8')) as { paths: Paths };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, described]) => {
      const { operationId: id, security = [], requestBody } = described;
      if (requestBody === undefined) return [];
      const names = security.flatMap((one) => Object.keys(one));
      const credential = names.includes('apiKey') ? 'api-key' : names.length > 0 ? 'bearer' : 'none';
      const filled = path
        .replaceAll('{channel}', 'sms')
        .replaceAll('{recipient}', '%2B14155550123')
        .replaceAll(/\{\w+\}/g, '00000000-0000-4000-8000-000000000000');
      const { example } = requestBody.content['application/json'];
      return [{ id, method: method.toUpperCase(), path: filled, credential, example }] as const;
    }),
  );
}

/** Bodies of that size by name: shapes of their own, and the valid body with one value of it blown up. */
export function hostileBodies(example: unknown, bytes: number): Readonly<Record<string, string>> {
  const places = placesIn(example).filter(({ steps }) => steps.length > 0);
  const blown = places.flatMap(({ steps, value }) =>
    Object.entries(blownUp(value, bytes)).map(
      ([how, large]) =>
        [`${how} at /${steps.join('/')}`, JSON.stringify(withValue(example, steps, large))] as const,
    ),
  );
  return {
    names: `{${manyNames(bytes)}}`,
    lists: '['.repeat(bytes / 2) + ']'.repeat(bytes / 2),
    numbers: `[${'1,'.repeat(bytes / 2)}1]`,
    blanks: ' '.repeat(bytes),
    'a text': JSON.stringify('x'.repeat(bytes)),
    'escapes of a text': `"${'\\u0041'.repeat(bytes / 6)}"`,
    ...Object.fromEntries(blown),
  };
}

function manyNames(bytes: number): string {
  return Array.from({ length: bytes / 10 }, (_, index) => `"${index.toString(36)}":1`).join();
}

interface ValuePlace {
  readonly steps: readonly string[];
  readonly value: unknown;
}

function placesIn(value: unknown, steps: readonly string[] = []): ValuePlace[] {
  const inner = typeof value === 'object' && value !== null ? Object.entries(value) : [];
  return [{ steps, value }, ...inner.flatMap(([name, one]) => placesIn(one, [...steps, name]))];
}

function blownUp(value: unknown, bytes: number): Readonly<Record<string, unknown>> {
  if (typeof value === 'string')
    return {
      'a text': value.slice(0, 1) + 'x'.repeat(bytes),
      emoji: '😀'.repeat(bytes / 4),
      digits: `+${'1'.repeat(bytes)}`,
    };
  if (Array.isArray(value)) {
    const [first = 'x'] = value as readonly unknown[];
    return {
      'many items': Array<unknown>(Math.ceil(bytes / (JSON.stringify(first).length + 1))).fill(first),
    };
  }
  if (typeof value !== 'object' || value === null) return { 'a text': 'x'.repeat(bytes) };
  const many = Array.from({ length: bytes / 20 }, (_, index) => [`name ${index}`, 'x'] as const);
  return { 'many names': { ...value, ...Object.fromEntries(many) } };
}

function withValue(document: unknown, [step, ...rest]: readonly string[], value: unknown): unknown {
  if (step === undefined) return value;
  const inner = (document as Record<string, unknown>)[step];
  const changed = withValue(inner, rest, value);
  if (Array.isArray(document))
    return document.map((one, index) => (String(index) === step ? changed : (one as unknown)));
  return { ...(document as object), [step]: changed };
}
