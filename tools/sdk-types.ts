import path from 'node:path';
import { openApiText } from './openapi.ts';
import {
  contentType,
  type Document,
  formatted,
  namedType,
  operationsOf,
  operationType,
  type PlacedOperation,
  writeOrCheck,
} from './openapi-types/print.ts';

const target = path.resolve(import.meta.dirname, '../packages/sdk/src/schema.ts');
const introduction =
  '// Made from the OpenAPI document by `npm run openapi`. Change the schemas in packages/contract.\n';

/** The operations and types of the SDK, as the text of its `src/schema.ts`. Logging in is not for programs. */
export async function sdkTypes(): Promise<string> {
  const document = JSON.parse(openApiText()) as Document;
  const operations = operationsOf(document).filter(({ operationId }) => !operationId.startsWith('auth.'));
  const events = Object.entries(document.webhooks).map(
    ([name, { post }]) => `'${name}': ${contentType(post.requestBody?.content ?? {})};`,
  );
  return formatted(target, [
    introduction,
    ...namedTypes(document, operations),
    '/** Every operation: what it takes and what it answers. */',
    `export interface Operations { ${operations
      .map((operation) => `'${operation.operationId}': ${operationType(operation, 'Response')};`)
      .join('\n')} }`,
    '/** The body of every event, by its name. */',
    `export interface EventBodies { ${events.join('\n')} }`,
    '/** The method, path and scope of every operation. One without a scope takes an access token only. */',
    `export const operations = { ${operations
      .map((operation) => `'${operation.operationId}': '${placeOf(operation)}',`)
      .join('\n')} } as const satisfies Readonly<Record<keyof Operations, string>>;`,
  ]);
}

function placeOf({ method, path: at, security }: PlacedOperation): string {
  const scope = security.flatMap((one) => Object.values(one).flat())[0];
  return [method.toUpperCase(), at, ...(scope === undefined ? [] : [scope])].join(' ');
}

/** The named schemas that the operations, the events and the errors lead to. */
function namedTypes({ components, webhooks }: Document, operations: readonly PlacedOperation[]): string[] {
  const found = new Set<string>();
  const follow = (part: unknown): void => {
    for (const [, name] of JSON.stringify(part).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (name === undefined || found.has(name)) continue;
      found.add(name);
      follow(components.schemas[name]);
    }
  };
  follow([operations, webhooks, { $ref: '#/components/schemas/Problem' }]);
  return Object.entries(components.schemas)
    .filter(([name]) => found.has(name))
    .map(([name, schema]) => namedType(name, schema));
}

if (import.meta.main) await writeOrCheck(target, await sdkTypes());
