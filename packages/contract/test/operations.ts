import { follow, type OpenApi, pointerTo } from './openapi.ts';
import type { Method } from './service.ts';

/** One operation of the document, as far as a request to it is made from that. */
export interface DescribedOperation {
  readonly method: Method;
  /** With `{name}` for each parameter. */
  readonly path: string;
  readonly credential: 'apiKey' | 'bearer' | null;
  /** Names in the path that stand for ids: all but those that have a list of values, and a person's address. */
  readonly ids: readonly string[];
  /** Names of ids in the query and in the body, at any depth. */
  readonly otherIds: readonly string[];
  /** A body that the document shows as an example; undefined where it takes none. */
  readonly body: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly schema: { readonly enum?: readonly unknown[] };
}

interface Described {
  readonly parameters?: readonly Parameter[];
  readonly security?: readonly Readonly<Record<string, unknown>>[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly example: unknown } } };
}

/** Every operation of the document. */
export function operationsOf({ document }: OpenApi): DescribedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const { parameters = [], security = [], requestBody } = operation as Described;
      const schema = pointerTo('paths', path, method, 'requestBody', 'content', 'application/json', 'schema');
      const [scheme] = Object.keys(security[0] ?? {});
      return {
        method: method as Method,
        path,
        credential: scheme === 'apiKey' ? 'apiKey' : scheme === undefined ? null : 'bearer',
        ids: parameters.flatMap((one) =>
          one.in === 'path' && one.schema.enum === undefined && one.name !== 'recipient' ? [one.name] : [],
        ),
        otherIds: [
          ...parameters.flatMap(({ in: place, name }) => (place === 'query' && isId(name) ? [name] : [])),
          ...idsIn(follow(document, schema)?.value),
        ],
        body: requestBody?.content['application/json'].example,
      };
    }),
  );
}

/** Names of properties that stand for ids, anywhere in a schema. */
function idsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { properties = {}, ...rest } = schema as { readonly properties?: Readonly<Record<string, unknown>> };
  const names = Object.keys(properties).filter(isId);
  return [...new Set([...names, ...Object.values({ ...properties, ...rest }).flatMap(idsIn)])];
}

function isId(name: string): boolean {
  return /^ids?$|Ids?$/.test(name);
}
