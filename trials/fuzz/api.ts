import { follow, type OpenApi, openApiOf, pointerTo, resolved } from '@notify/contract/openapi';

/** As much of a JSON Schema as values are made from. */
export interface Schema {
  readonly type?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly patternProperties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly uniqueItems?: boolean;
  /** Limits that hold unless another field lifts them. */
  readonly else?: Schema;
}

export interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: Schema;
}

/** One operation of the document, with its references followed. */
export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With `{name}` for each parameter. */
  readonly path: string;
  readonly credential: 'none' | 'bearer' | 'api-key';
  /** It takes service tokens, too. */
  readonly takesTokens: boolean;
  readonly parameters: readonly Parameter[];
  /** Null where it takes none. A file may be anything, so any JSON is one. */
  readonly body: Schema | null;
}

/** What an answer says, as far as the document speaks of it. */
export interface DescribedAnswer {
  readonly status: number;
  /** Without parameters; empty where there is none. */
  readonly type: string;
  /** The body as text. */
  readonly text: string;
  /** The body parsed; undefined where it is no JSON. */
  readonly json: unknown;
}

/** The OpenAPI document of a running service. */
export interface Api {
  readonly operations: readonly Operation[];
  /** What is wrong with an answer to the operation, by the document; null when nothing is. */
  faultOf(operation: Operation, answer: DescribedAnswer): string | null;
  /** What is wrong with a problem document, wherever it came from; null when nothing is. */
  problemFault(json: unknown): string | null;
}

interface RawOperation {
  readonly operationId?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
  readonly security?: readonly Readonly<Record<string, unknown>>[];
}

/** Reads `/openapi.json` of the service at `url`. */
export async function readApi(url: string): Promise<Api> {
  const document = openApiOf((await (await fetch(`${url}/openapi.json`)).json()) as OpenApi['document']);
  const operations = Object.entries(document.document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) =>
      toOperation(method, path, resolved(document.document, operation) as RawOperation),
    ),
  );
  const problem = document.schemaAt('/components/schemas/Problem');
  const problemFault = (json: unknown): string | null =>
    problem(json)
      ? null
      : `no proper problem document: ${problem.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`).join(', ')}`;
  return {
    operations,
    problemFault,
    faultOf: (operation, answer) => faultOf(document, operation, answer),
  };
}

function toOperation(method: string, path: string, raw: RawOperation): Operation {
  const content = raw.requestBody?.content;
  const body = (content?.['application/json'] ?? content?.['*/*'])?.schema;
  const schemes = new Set(raw.security?.flatMap((one) => Object.keys(one)));
  return {
    id: raw.operationId ?? `${method} ${path}`,
    method: method.toUpperCase(),
    path,
    credential: schemes.has('apiKey') ? 'api-key' : schemes.has('accessToken') ? 'bearer' : 'none',
    takesTokens: schemes.has('serviceToken'),
    parameters: raw.parameters ?? [],
    body: body ?? null,
  };
}

/** Status, media type, schema and, of a problem, its code: the description of its status names every code it may have. */
function faultOf(api: OpenApi, operation: Operation, answer: DescribedAnswer): string | null {
  const at = pointerTo(
    'paths',
    operation.path,
    operation.method.toLowerCase(),
    'responses',
    String(answer.status),
  );
  const described = follow(api.document, at);
  if (described === undefined) return `status ${answer.status} is not documented`;
  const { content, description } = described.value as {
    readonly content?: Readonly<Record<string, unknown>>;
    readonly description: string;
  };
  if (content === undefined) return answer.text === '' ? null : 'a body, where none is documented';
  // The type of a file is not known beforehand.
  if ((content[answer.type] ?? content['*/*']) === undefined) return `undocumented type ${answer.type}`;
  if (!answer.type.endsWith('json')) return null;
  const valid = api.schemaAt(`${described.at}${pointerTo('content', answer.type, 'schema')}`);
  if (!valid(answer.json))
    return `breaks its schema: ${valid.errors?.map(({ instancePath, message }) => `${instancePath} ${message}`).join(', ')}`;
  return answer.status < 400 ? null : codeFault(description, answer.json);
}

function codeFault(description: string, json: unknown): string | null {
  const code = String((json as { readonly code?: unknown }).code);
  return description.includes(`\`${code}\``) ? null : `the code ${code} is not documented for this status`;
}
