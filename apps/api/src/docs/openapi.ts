import * as contract from '@notify/contract';
import { type ProblemCode, problems } from '@notify/contract';
import { eventOf } from '../http/event-stream.ts';
import { NoBody, NoContent, type Route } from '../http/route.ts';
import { exampleOf, type ShownSchema } from './example.ts';
import { tellDefaults } from './told-defaults.ts';

/** One operation of the document. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content: {
      readonly 'application/json': { readonly schema: ShownSchema; readonly example: unknown };
    };
  };
  readonly responses: Readonly<Record<string, Answer>>;
}

interface Answer {
  readonly description: string;
  /** By media type. */
  readonly content?: Readonly<Record<string, { readonly schema: ShownSchema }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: ShownSchema;
}

/** The whole document in OpenAPI 3.1, whose schemas are plain JSON Schema. */
export interface OpenApi {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly securitySchemes: object;
    readonly schemas: Readonly<Record<string, ShownSchema>>;
  };
}

/** Describes the routes with the schemas that also check their requests. */
export function describeApi(routes: readonly Route[], version: string): OpenApi {
  const paths: Record<string, Record<string, Operation>> = {};
  for (const route of routes) (paths[templateOf(route)] ??= {})[route.method] = describeRoute(route);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Notify',
      version,
      description:
        'Sends messages over WhatsApp, Telegram and SMS, and posts their status changes to webhooks.',
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map((route) => route.tag))].map((name) => ({ name })),
    paths: tellDefaults(paths),
    components: {
      securitySchemes,
      schemas: tellDefaults({ ...namedSchemas(routes), Problem: problemSchema }),
    },
  };
}

const securitySchemes = {
  accessToken: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  apiKey: { type: 'apiKey', in: 'header', name: 'X-Api-Key' },
};

/** RFC 9457, with our `code`, `errors` and `requestId`. */
const problemSchema: ShownSchema = {
  type: 'object',
  description: 'An error response. Use `code` to distinguish errors.',
  required: ['type', 'title', 'status', 'code', 'requestId'],
  properties: {
    type: { type: 'string', description: 'Documentation of the code: `/problems/<code>`.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: { enum: Object.keys(problems) },
    detail: { type: 'string', description: 'What went wrong in this request.' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['at', 'message'],
        properties: { at: { type: 'string', examples: ['body/to'] }, message: { type: 'string' } },
      },
    },
    requestId: { type: 'string', description: 'Same as the `X-Request-Id` header.' },
  },
};

function describeRoute(route: Route): Operation {
  const { tag, summary, description } = route;
  return {
    operationId: operationId(route),
    tags: [tag],
    summary,
    ...(description === undefined ? {} : { description }),
    security: security[route.credential],
    parameters: [...parametersIn('path', route.params), ...parametersIn('query', route.query)],
    ...(route.body === NoBody ? {} : { requestBody: describeBody(route.body) }),
    responses: { [route.status]: describeAnswer(route), ...describeProblems(route) },
  };
}

const security: Readonly<Record<Route['credential'], Operation['security']>> = {
  none: [],
  bearer: [{ accessToken: [] }],
  'api-key': [{ apiKey: [] }],
};

/** `/v1/webhooks/:id` as OpenAPI writes it. */
function templateOf({ path }: Route): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

/** `post /v1/webhooks/:id/enable` → `postWebhooksIdEnable`. */
function operationId({ method, path }: Route): string {
  const words = path.split(/[^\w]+/).filter((word) => word !== '' && word !== 'v1');
  return method + words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
}

function parametersIn(place: Parameter['in'], schema: ShownSchema): Parameter[] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || (schema.required ?? []).includes(name),
    schema: field,
  }));
}

function describeBody(schema: ShownSchema): NonNullable<Operation['requestBody']> {
  return {
    required: (schema.required ?? []).length > 0,
    content: { 'application/json': { schema: shown(schema), example: exampleOf(schema) } },
  };
}

function describeAnswer(route: Route): Answer {
  if (route.response === NoContent) return { description: 'Success.' };
  const event = eventOf(route.response);
  if (event !== null)
    return {
      description: 'Success. A stream of:',
      content: { 'text/event-stream': { schema: shown(event) } },
    };
  return { description: 'Success.', content: { 'application/json': { schema: shown(route.response) } } };
}

/** The problems a route may answer: its own, and those of its credential and its input. */
export function problemsOf(route: Route): ProblemCode[] {
  const codes: ProblemCode[] = [...route.problems];
  if (route.credential === 'bearer') codes.push('unauthenticated', 'forbidden', 'rate-limited');
  if (route.credential === 'api-key') codes.push('invalid-api-key', 'forbidden', 'rate-limited');
  if (route.body !== NoBody) codes.push('malformed-json', 'too-large', 'unsupported-media-type');
  return [...new Set<ProblemCode>([...codes, 'invalid-request', 'internal', 'unavailable'])];
}

function describeProblems(route: Route): Record<string, Answer> {
  const byStatus = Map.groupBy(problemsOf(route), (code) => statusOf(route, code));
  return Object.fromEntries(
    [...byStatus].map(([status, codes]) => [status, describeProblem(codes)] as const),
  );
}

/** `limit-reached` is a 429 on sends, whose limit passes by itself, and has its usual status elsewhere. */
function statusOf({ credential, problems: own }: Route, code: ProblemCode): number {
  const sends = credential === 'api-key' || own.includes('rate-limited');
  return code === 'limit-reached' && sends ? 429 : problems[code].status;
}

function describeProblem(codes: readonly ProblemCode[]): Answer {
  return {
    description: codes.map((code) => `\`${code}\`: ${problems[code].title}`).join('. '),
    content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
  };
}

/** The contract's names of its schemas, by identity. */
const names = new Map<unknown, string>(Object.entries(contract).map(([name, value]) => [value, name]));

/** A schema as the document shows it: a reference if the contract names it. */
function shown(schema: ShownSchema): ShownSchema {
  const name = names.get(schema);
  if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  return schema.items === undefined ? schema : { ...schema, items: shown(schema.items) };
}

function namedSchemas(routes: readonly Route[]): Record<string, ShownSchema> {
  const used: ShownSchema[] = routes.flatMap(({ body, response }) => [body, eventOf(response) ?? response]);
  const inner = used.flatMap((schema) => (schema.items === undefined ? [] : [schema.items]));
  const named = [...used, ...inner].flatMap((schema) => {
    const name = names.get(schema);
    return name === undefined ? [] : [[name, schema] as const];
  });
  return Object.fromEntries(named.toSorted(([a], [b]) => a.localeCompare(b, 'en')));
}
