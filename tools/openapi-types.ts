import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';

/** The part of JSON Schema that our document uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | undefined;
  readonly format?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema;
}

export type Content = Readonly<Record<string, { readonly schema: Schema }>>;

export interface Operation {
  readonly operationId: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

/** An OpenAPI 3.1 document as ours is written. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<
    Record<string, { readonly post: { readonly requestBody?: Operation['requestBody'] } }>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** An operation with its place. */
export interface PlacedOperation extends Operation {
  /** In lower case. */
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
}

/** Every operation, in the order of the document. */
export function operationsOf({ paths }: Document): PlacedOperation[] {
  return Object.entries(paths).flatMap(([at, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, method, path: at })),
  );
}

/** The type of a named schema, with its comment, exported. */
export function namedType(name: string, schema: Schema): string {
  return `${comment(schema)}export type ${name} = ${typeOf(schema)};`;
}

/** `{ at: 'get /path'; input: { path, query, body }; answer }` of an operation. A file is a `Response` as an answer, and a `Blob` or its bytes as a body. */
export function operationType({ method, path: at, parameters, ...operation }: PlacedOperation): string {
  const { requestBody, responses } = operation;
  const inputs = [placeType('path', parameters), placeType('query', parameters), bodyType(requestBody)];
  return `{ at: '${method} ${at}'; input: { ${inputs.join('')} }; answer: ${answerType(responses)} }`;
}

/** The type of a body in its first media type. */
export function contentType(content: Content): string {
  return typeOf(Object.values(content)[0]?.schema ?? {});
}

/** Formats the lines of a generated file as the target's other files are. */
export async function formatted(target: string, lines: readonly string[]): Promise<string> {
  return format(lines.join('\n'), { ...(await resolveConfig(target)), parser: 'typescript' });
}

/** Writes a generated file, or with `--check` says that it is stale and sets the exit code. */
export async function writeOrCheck(target: string, wanted: string, script = 'openapi'): Promise<void> {
  if (!process.argv.includes('--check')) {
    await writeFile(target, wanted);
  } else if ((await readFile(target, 'utf8').catch(() => '')) !== wanted) {
    console.error(`${path.relative(process.cwd(), target)} is stale: run npm run ${script}`);
    process.exitCode = 1;
  }
}

function placeType(place: string, parameters: readonly Parameter[]): string {
  const own = parameters.filter((parameter) => parameter.in === place);
  if (own.length === 0) return '';
  const fields = own.map(({ name, required, schema }) => field(name, required, schema));
  const mark = own.some(({ required }) => required) ? '' : '?';
  return `${place}${mark}: { ${fields.join('')} };`;
}

function bodyType(body: Operation['requestBody']): string {
  if (body === undefined) return '';
  const isFile = Object.values(body.content)[0]?.schema.format === 'binary';
  return `body${body.required ? '' : '?'}: ${isFile ? 'Blob | Uint8Array<ArrayBuffer>' : contentType(body.content)};`;
}

function answerType(responses: Operation['responses']): string {
  const done = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content;
  if (done === undefined) return 'void';
  return Object.values(done)[0]?.schema.format === 'binary' ? 'Response' : contentType(done);
}

/** A schema as a type. A schema without constraints is `unknown`. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  const variants = schema.anyOf ?? schema.oneOf;
  if (variants !== undefined) return variants.map((one) => typeOf(one)).join(' | ');
  if (schema.type === 'array') return `(${typeOf(schema.items ?? {})})[]`;
  if (schema.type === 'object') return objectType(schema);
  return plainTypes[schema.type ?? ''] ?? 'unknown';
}

const plainTypes: Readonly<Record<string, string>> = {
  string: 'string',
  boolean: 'boolean',
  null: 'null',
  integer: 'number',
  number: 'number',
};

function objectType({ properties, patternProperties = {}, required = [] }: Schema): string {
  if (properties === undefined) {
    const [value] = Object.values(patternProperties);
    return `Record<string, ${value === undefined ? 'unknown' : typeOf(value)}>`;
  }
  const fields = Object.entries(properties).map(([name, one]) => field(name, required.includes(name), one));
  return `{ ${fields.join('')} }`;
}

function field(name: string, required: boolean, schema: Schema): string {
  return `${comment(schema)}${JSON.stringify(name)}${required ? '' : '?'}: ${typeOf(schema)};`;
}

function comment({ description }: Schema): string {
  return description === undefined ? '' : `\n/** ${description.replaceAll('*/', '*\\/')} */\n`;
}
