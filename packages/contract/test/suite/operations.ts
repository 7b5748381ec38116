import { type OpenApi, resolved } from './openapi.ts';
import type { Method } from './service.ts';

/** One operation of the document, as far as a request to it is made from that. */
export interface DescribedOperation {
  readonly operationId: string;
  readonly method: Method;
  /** With `{name}` for each parameter. */
  readonly path: string;
  readonly credential: 'apiKey' | 'bearer' | null;
  /** The credentials it takes, and the scopes that each needs. */
  readonly schemes: ReadonlyMap<string, readonly string[]>;
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
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly schema: object; readonly example: unknown } };
  };
}

/** Every operation of the document. */
export function operationsOf({ document }: OpenApi): DescribedOperation[] {
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const {
        operationId,
        parameters = [],
        security = [],
        requestBody,
      } = resolved(document, operation) as Described;
      const content = requestBody?.content['application/json'];
      const [scheme] = Object.keys(security[0] ?? {});
      return {
        operationId,
        method: method as Method,
        path,
        credential: scheme === 'apiKey' ? 'apiKey' : scheme === undefined ? null : 'bearer',
        schemes: new Map(security.flatMap((one) => Object.entries(one))),
        ids: parameters.flatMap((one) =>
          one.in === 'path' && one.schema.enum === undefined && one.name !== 'recipient' ? [one.name] : [],
        ),
        otherIds: [
          ...parameters.flatMap(({ in: place, name }) => (place === 'query' && isId(name) ? [name] : [])),
          ...idsIn(content?.schema),
        ],
        body: content?.example,
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
