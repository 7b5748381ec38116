import path from 'node:path';
import { openApiText } from './openapi.ts';
import {
  type Document,
  formatted,
  namedType,
  operationsOf,
  operationType,
  writeOrCheck,
} from './openapi-types/print.ts';

const target = path.resolve(import.meta.dirname, '../apps/dashboard/src/api/schema.ts');
const introduction =
  '// Made from the OpenAPI document by `npm run openapi`. Change the schemas in packages/contract.\n';

/** The types of everything on the wire, as the text of the dashboard's `src/api/schema.ts`. */
export async function dashboardTypes(): Promise<string> {
  const document = JSON.parse(openApiText()) as Document;
  const operations = operationsOf(document).map(
    (operation) => `'${operation.method} ${operation.path}': ${operationType(operation)};`,
  );
  return formatted(target, [
    introduction,
    ...Object.entries(document.components.schemas).map(([name, schema]) => namedType(name, schema)),
    '/** Every operation, by method and path: what it takes and what it answers. */',
    `export interface Operations { ${operations.join('\n')} }`,
  ]);
}

if (import.meta.main) await writeOrCheck(target, await dashboardTypes());
