import * as contract from '@notify/contract';
import { type ProblemCode, problems } from '@notify/contract';
import { eventOf } from '../http/event-stream.ts';
import { FileStream } from '../http/file-stream.ts';
import { NoBody, NoContent, type Route } from '../http/route.ts';
import { eventHeaders, eventSchemas, eventsTag, type PostedEvent, postedEvents } from './events.ts';
import { exampleOf, type ShownSchema } from './example.ts';
import { introduction, tagDescriptions } from './introduction.ts';
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

/** What a webhook receives: an operation of the receiver's, so it has no id. */
type EventOperation = Omit<Operation, 'operationId' | 'parameters'> & {
  readonly parameters: readonly (Omit<Parameter, 'in'> & { readonly in: 'header' })[];
};

interface Answer {
  readonly description: string;
  /** By media type. */
  readonly content?: Readonly<Record<string, Content>>;
}

interface Content {
  readonly schema: ShownSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly $ref: string }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: ShownSchema;
  readonly example?: unknown;
}

/** The whole document in OpenAPI 3.1, whose schemas are plain JSON Schema. */
export interface OpenApi {
  readonly openapi: '3.1.0';
  readonly info: { readonly title: string; readonly version: string; readonly description: string };
  readonly servers: readonly { readonly url: string }[];
  readonly tags: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  /** The events that tenants' webhooks receive. */
  readonly webhooks: Readonly<Record<string, { readonly post: EventOperation }>>;
  readonly components: {
    readonly securitySchemes: object;
    readonly schemas: Readonly<Record<string, ShownSchema>>;
    readonly examples: Readonly<Record<string, { readonly summary: string; readonly value: object }>>;
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
      description: introduction,
    },
    servers: [{ url: '/' }],
    tags: [...new Set([...routes.map((route) => route.tag), eventsTag])].map(describeTag),
    paths: tellDefaults(paths),
    webhooks: Object.fromEntries(postedEvents.map((event) => [event.name, { post: describeEvent(event) }])),
    components: {
      securitySchemes,
      schemas: tellDefaults({ ...namedSchemas(routes), Problem: problemSchema }),
      examples: problemExamples,
    },
  };
}

function describeTag(name: string): OpenApi['tags'][number] {
  const description = tagDescriptions[name];
  return description === undefined ? { name } : { name, description };
}

const securitySchemes = {
  accessToken: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'The `accessToken` that registering, logging in or refreshing returns. It lasts 15 minutes.',
  },
  apiKey: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Api-Key',
    description: 'A `key` that `POST /tenant/api-keys` returned. It starts with `svc_live_`.',
  },
};

const fileSchema: ShownSchema = { type: 'string', format: 'binary' };

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

/** One error response for each code. */
const problemExamples = Object.fromEntries(
  Object.entries(problems).map(([code, { status, title }]) => [
    code,
    {
      summary: code,
      value: {
        type: `/problems/${code}`,
        title,
        status,
        code,
        requestId: '01912d68-783e-7a52-9d3a-6c4f2b1e8a90',
      },
    },
  ]),
);

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
    ...(field.examples === undefined ? {} : { example: field.examples[0] }),
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
  if (route.response === FileStream)
    return {
      description: 'The file.',
      content: { '*/*': { schema: fileSchema } },
    };
  const event = eventOf(route.response);
  if (event !== null)
    return {
      description: 'Success. A stream of:',
      content: { 'text/event-stream': { schema: shown(event) } },
    };
  const example = exampleOf(route.response);
  return {
    description: 'Success.',
    content: { 'application/json': { schema: shown(route.response), example } },
  };
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
    content: {
      'application/problem+json': {
        schema: { $ref: '#/components/schemas/Problem' },
        examples: Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${code}` }])),
      },
    },
  };
}

function describeEvent({ summary, description, schema, example }: PostedEvent): EventOperation {
  return {
    tags: [eventsTag],
    summary,
    description,
    security: [],
    parameters: eventHeaders.map(([name, told, value]) => ({
      name,
      in: 'header',
      required: true,
      schema: { type: 'string', description: told, examples: [value] },
    })),
    requestBody: { required: true, content: { 'application/json': { schema: shown(schema), example } } },
    responses: {
      '2XX': { description: 'Received. The response body is ignored.' },
      '410': { description: 'Disables the webhook.' },
      default: { description: 'A failed attempt. The event is posted again later.' },
    },
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
  const used: ShownSchema[] = [
    ...routes.flatMap(({ body, response }) => [body, eventOf(response) ?? response]),
    ...eventSchemas,
  ];
  const inner = used.flatMap((schema) => (schema.items === undefined ? [] : [schema.items]));
  const named = [...used, ...inner].flatMap((schema) => {
    const name = names.get(schema);
    return name === undefined ? [] : [[name, schema] as const];
  });
  return Object.fromEntries(named.toSorted(([a], [b]) => a.localeCompare(b, 'en')));
}
