import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describeApi } from '@notify/api/openapi';
import { routes } from '@notify/api/routes';
import manifest from '../apps/api/package.json' with { type: 'json' };

const target = path.resolve(import.meta.dirname, '../openapi.json');

/** The text of `openapi.json`. */
export function openApiText(): string {
  return `${JSON.stringify(describeApi(routes, manifest.version), null, 2)}\n`;
}

if (import.meta.main) {
  const wanted = openApiText();
  if (!process.argv.includes('--check')) {
    await writeFile(target, wanted);
  } else if ((await readFile(target, 'utf8').catch(() => '')) !== wanted) {
    console.error('openapi.json is stale: run npm run openapi');
    process.exitCode = 1;
  }
}
