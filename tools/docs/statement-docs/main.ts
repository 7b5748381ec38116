import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { acceptPage } from './accept-page.ts';
import { claimPage } from './claim-page.ts';
import { render } from './page.ts';
import { settlePage } from './settle-page.ts';

/*
 * `npm run statement-docs`: writes the pages with the statements of accept, claim and settle, as Postgres gets them. They lie beside the
 * code that builds the statements. `--check` fails for a stale page.
 */

for (const page of [acceptPage, claimPage, settlePage]) {
  const target = path.resolve(import.meta.dirname, '../../..', page.path);
  const wanted = await render(page);
  if (!process.argv.includes('--check')) {
    await writeFile(target, wanted);
  } else if ((await readFile(target, 'utf8').catch(() => '')) !== wanted) {
    console.error(`${page.path} is stale: run npm run statement-docs`);
    process.exitCode = 1;
  }
}
