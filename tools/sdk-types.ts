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
} from './openapi-types.ts';

const target = path.resolve(import.meta.dirname, '../packages/sdk/src/schema.ts');
const introduction =
  '// Made from the OpenAPI document by `npm run openapi`. Change the schemas in packages/contract.\n';

/** The types of everything on the wire, and the places of operations, as the text of the SDK's `src/schema.ts`. */
export async function sdkTypes(): Promise<string> {
  const document = JSON.parse(openApiText()) as Document;
  const operations = operationsOf(document);
  // Logging in is not for programs.
  const called = operations.filter(({ operationId }) => !operationId.startsWith('auth.'));
  const events = Object.entries(document.webhooks).map(
    ([name, { post }]) => `'${name}': ${contentType(post.requestBody?.content ?? {})};`,
  );
  return formatted(target, [
    introduction,
    ...Object.entries(document.components.schemas).map(([name, schema]) => namedType(name, schema)),
    '/** Every operation: its method and path, what it takes and what it answers. */',
    `export interface Operations { ${operations
      .map((operation) => `'${operation.operationId}': ${operationType(operation)};`)
      .join('\n')} }`,
    '/** The body of every event, by its name. */',
    `export interface EventBodies { ${events.join('\n')} }`,
    '/** The method, path and scope of every operation for programs. One without a scope takes an access token only. */',
    `export const operations = { ${called
      .map((operation) => `'${operation.operationId}': '${placeOf(operation)}',`)
      .join('\n')} } as const satisfies Readonly<`,
    `Record<Exclude<keyof Operations, \`auth.\${string}\`>, string>>;`,
  ]);
}

function placeOf({ method, path: at, security }: PlacedOperation): string {
  const scope = security.flatMap((one) => Object.values(one).flat())[0];
  return [method.toUpperCase(), at, ...(scope === undefined ? [] : [scope])].join(' ');
}

if (import.meta.main) await writeOrCheck(target, await sdkTypes());
