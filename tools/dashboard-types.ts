import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import { openApiText } from './openapi.ts';

const target = path.resolve(import.meta.dirname, '../apps/dashboard/src/api/schema.ts');
const introduction =
  '// Made from the OpenAPI document by `npm run openapi`. Change the schemas in packages/contract.\n';

/** The part of JSON Schema that our document uses. */
interface Schema {
  readonly $ref?: string;
  readonly type?: string | undefined;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required: boolean;
  readonly schema: Schema;
}

type Content = Readonly<Record<string, { readonly schema: Schema }>>;

interface Operation {
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** The types of everything on the wire, as the text of the dashboard's `src/api/schema.ts`. */
export async function dashboardTypes(): Promise<string> {
  const { paths, components } = JSON.parse(openApiText()) as Document;
  const named = Object.entries(components.schemas).map(
    ([name, schema]) => `${comment(schema)}export type ${name} = ${typeOf(schema)};`,
  );
  const operations = Object.entries(paths).flatMap(([at, methods]) =>
    Object.entries(methods).map(([method, operation]) => `'${method} ${at}': ${operationType(operation)};`),
  );
  const source = [
    introduction,
    ...named,
    '/** Every operation, by method and path: what it takes and what it answers. */',
    `export interface Operations { ${operations.join('\n')} }`,
  ].join('\n');
  return format(source, { ...(await resolveConfig(target)), parser: 'typescript' });
}

function operationType({ parameters, requestBody, responses }: Operation): string {
  const inputs = [placeType('path', parameters), placeType('query', parameters), bodyType(requestBody)];
  return `{ input: { ${inputs.join('')} }; answer: ${answerType(responses)} }`;
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
  return `body${body.required ? '' : '?'}: ${contentType(body.content)};`;
}

function answerType(responses: Operation['responses']): string {
  const done = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1].content;
  return done === undefined ? 'void' : contentType(done);
}

function contentType(content: Content): string {
  return typeOf(Object.values(content)[0]?.schema ?? {});
}

/** A schema as a type. A schema without constraints is `unknown`. */
function typeOf(schema: Schema): string {
  if (schema.$ref !== undefined) return schema.$ref.split('/').at(-1) ?? 'unknown';
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf !== undefined) return schema.anyOf.map((one) => typeOf(one)).join(' | ');
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

function objectType({ properties, required = [] }: Schema): string {
  if (properties === undefined) return 'Record<string, unknown>';
  const fields = Object.entries(properties).map(([name, one]) => field(name, required.includes(name), one));
  return `{ ${fields.join('')} }`;
}

function field(name: string, required: boolean, schema: Schema): string {
  return `${comment(schema)}${JSON.stringify(name)}${required ? '' : '?'}: ${typeOf(schema)};`;
}

function comment({ description }: Schema): string {
  return description === undefined ? '' : `\n/** ${description.replaceAll('*/', '*\\/')} */\n`;
}

if (import.meta.main) {
  const wanted = await dashboardTypes();
  if (!process.argv.includes('--check')) {
    await writeFile(target, wanted);
  } else if ((await readFile(target, 'utf8').catch(() => '')) !== wanted) {
    console.error('apps/dashboard/src/api/schema.ts is stale: run npm run openapi');
    process.exitCode = 1;
  }
}
