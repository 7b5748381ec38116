import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { Response } from 'supertest';
import { inspect } from 'node:util';

/** The parts of an OpenAPI 3.1 document that the suite looks at. */
export interface OpenApiDocument {
  readonly openapi: string;
  readonly info: { readonly title: string; readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export interface Operation {
  readonly operationId?: string;
  readonly parameters?: readonly unknown[];
  readonly requestBody?: unknown;
  readonly responses: Readonly<Record<string, unknown>>;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
}

export interface OpenApi {
  readonly document: OpenApiDocument;
  /** Throws when the answer to a documented operation is not one the document describes. */
  expectDocumented(method: string, path: string, response: Response): void;
  /** A validator of the schema at this JSON pointer. */
  schemaAt(pointer: string): ValidateFunction;
}

interface Described {
  readonly template: string;
  readonly pattern: RegExp;
}

/** Reads a document, so that answers can be compared with it. */
export function openApiOf(document: OpenApiDocument): OpenApi {
  // A schema judges few answers, so code that is quickly made is worth more than quick code.
  const ajv = new Ajv2020({ strict: false, allErrors: true, code: { optimize: false } });
  formats.default(ajv);
  ajv.addSchema(document, 'openapi');
  const schemaAt = memo((pointer: string) => ajv.compile({ $ref: `openapi#${pointer}` }));
  const paths = describedPaths(document);
  return {
    document,
    schemaAt,
    expectDocumented(method, path, response) {
      const template = templateOf(paths, path);
      if (template === undefined || document.paths[template]?.[method] === undefined) return;
      const at = pointerTo('paths', template, method, 'responses', String(response.status));
      expectBody(
        `${method.toUpperCase()} ${path} → ${response.status}`,
        response,
        follow(document, at),
        schemaAt,
      );
    },
  };
}

/** A JSON pointer (RFC 6901) in the fragment form that `$ref` takes. */
export function pointerTo(...tokens: readonly string[]): string {
  return tokens
    .map((token) => `/${encodeURIComponent(token.replaceAll('~', '~0').replaceAll('/', '~1'))}`)
    .join('');
}

/** Where the pointer leads and the value there, references followed; undefined when there is nothing. */
export function follow(
  document: unknown,
  pointer: string,
): { readonly at: string; readonly value: unknown } | undefined {
  let value: unknown = document;
  for (const token of pointer.split('/').slice(1)) {
    value = (value as Record<string, unknown> | undefined)?.[plain(token)];
  }
  if (value === undefined) return undefined;
  const reference = (value as { $ref?: unknown }).$ref;
  return typeof reference === 'string' ? follow(document, reference.slice(1)) : { at: pointer, value };
}

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

function plain(token: string): string {
  return decodeURIComponent(token).replaceAll('~1', '/').replaceAll('~0', '~');
}

function expectBody(
  what: string,
  response: Response,
  described: ReturnType<typeof follow>,
  schemaAt: OpenApi['schemaAt'],
): void {
  if (described === undefined)
    throw new Error(`${what}: the status is not documented. Body: ${response.text}`);
  const { content } = described.value as { content?: Readonly<Record<string, unknown>> };
  if (content === undefined) {
    if (response.text !== '') throw new Error(`${what}: a body, where none is documented: ${response.text}`);
    return;
  }
  if ((content[response.type] ?? content['*/*']) === undefined)
    throw new Error(`${what}: undocumented type ${response.type}`);
  if (!response.type.endsWith('json')) return;
  const valid = schemaAt(`${described.at}${pointerTo('content', response.type, 'schema')}`);
  if (!valid(response.body)) {
    throw new Error(
      `${what} breaks its schema: ${inspect(valid.errors, { depth: 4 })}\nBody: ${response.text}`,
    );
  }
}

function describedPaths(document: OpenApiDocument): readonly Described[] {
  return Object.keys(document.paths).map((template) => ({
    template,
    pattern: new RegExp(`^${template.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`),
  }));
}

/** The path template that answers a path; one without parameters goes before one with. */
function templateOf(paths: readonly Described[], path: string): string | undefined {
  const [bare = ''] = path.split('?');
  const matching = paths.filter(({ pattern }) => pattern.test(bare)).map(({ template }) => template);
  return matching.find((template) => template === bare) ?? matching[0];
}

function memo<T>(make: (key: string) => T): (key: string) => T {
  const made = new Map<string, T>();
  return (key) => {
    const value = made.get(key) ?? make(key);
    made.set(key, value);
    return value;
  };
}
