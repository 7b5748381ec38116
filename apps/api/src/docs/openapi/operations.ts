import { eventOf } from '../../http/event-stream.ts';
import { FileStream } from '../../http/file-stream.ts';
import { FileBody } from '../../http/input/file-body.ts';
import { NoBody, NoContent, type Route } from '../../http/route.ts';
import { securityOf, tellCredential } from './credentials.ts';
import { exampleOf, type ShownSchema } from './example.ts';
import { headersOf } from './headers.ts';
import { shown } from './named-schemas.ts';
import { type Answer, describeProblems, type Reference } from './problem-answers.ts';

/** One operation of the document. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description?: string;
  readonly security: ReturnType<typeof securityOf>;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: {
    readonly required: boolean;
    readonly content:
      | { readonly 'application/json': { readonly schema: ShownSchema; readonly example: unknown } }
      | typeof fileContent;
  };
  readonly responses: Readonly<Record<string, Answer | Reference>>;
}

/** A parameter of the path, the query or the headers. */
export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: ShownSchema;
  readonly example?: unknown;
  /** In the place of `example`, for parameters that a request usually leaves out. */
  readonly examples?: { readonly typical: { readonly value: unknown; readonly 'x-disabled': true } };
}

/** Describes a route for openapi.json: its credential, its parameters, its body and each of its responses. */
export function describeRoute(route: Route): Operation {
  const { operationId, tag, summary } = route;
  const description = [route.description ?? '', tellCredential(route)]
    .filter((text) => text !== '')
    .join('\n\n');
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description === '' ? {} : { description }),
    security: securityOf(route),
    parameters: [
      ...parametersIn('path', route.params),
      ...parametersIn('query', route.query),
      ...(route.idempotencyHeader === 'taken' ? [idempotencyHeader] : []),
    ],
    ...(route.body === NoBody ? {} : { requestBody: describeBody(route.body) }),
    responses: { [route.status]: describeAnswer(route), ...describeProblems(route) },
  };
}

/** `/v1/webhooks/:id` as OpenAPI writes it. */
export function templateOf({ path }: Pick<Route, 'path'>): string {
  return path.replaceAll(/:(\w+)/g, '{$1}');
}

const idempotencyHeader: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'The same as `idempotencyKey` in the body. If both are given, they must be equal. A key in quotes, as the IETF’s draft writes it, is the key without them.',
  schema: { type: 'string' },
  ...exampleFor(false, 'order-4711'),
};

function parametersIn(place: Parameter['in'], schema: ShownSchema): Parameter[] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    in: place,
    required: place === 'path' || (schema.required ?? []).includes(name),
    schema: shown(field),
    ...exampleFor(
      place === 'path' || (schema.required ?? []).includes(name),
      field.examples?.[0] ?? field.enum?.[0] ?? field.default,
    ),
  }));
}

/**
 * The API reference fills in what is required. The flag keeps it from filling in the others, too
 * (https://github.com/scalar/scalar, documentation/openapi.md): a request with each of them would find nothing.
 */
function exampleFor(isRequired: boolean, value: unknown): Pick<Parameter, 'example' | 'examples'> {
  if (value === undefined) return {};
  return isRequired ? { example: value } : { examples: { typical: { value, 'x-disabled': true } } };
}

function describeBody(schema: ShownSchema): NonNullable<Operation['requestBody']> {
  if (schema === FileBody) return { required: true, content: fileContent };
  return {
    required: (schema.required ?? []).length > 0 || (schema.minProperties ?? 0) > 0,
    content: { 'application/json': { schema: shown(schema), example: exampleOf(schema) } },
  };
}

function describeAnswer(route: Route): Answer {
  const headers = headersOf(route, route.status);
  if (route.response === NoContent) return { description: 'Success.', headers };
  if (route.response === FileStream)
    return { description: 'The file.', headers, content: { '*/*': { schema: fileSchema } } };
  const event = eventOf(route.response);
  if (event !== null)
    return {
      description: 'Success. A stream of:',
      headers,
      content: { 'text/event-stream': { schema: shown(event) } },
    };
  const example = exampleOf(route.response);
  return {
    description: 'Success.',
    headers,
    content: { 'application/json': { schema: shown(route.response), example } },
  };
}

const fileSchema: ShownSchema = { type: 'string', format: 'binary' };
/** A file as it is, or as a field of a form. */
const fileContent = {
  '*/*': { schema: fileSchema },
  'multipart/form-data': {
    schema: {
      type: 'object',
      required: ['file'],
      properties: { file: fileSchema },
      additionalProperties: false,
    },
  },
};
