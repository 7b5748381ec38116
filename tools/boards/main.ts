import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { format, resolveConfig } from 'prettier';
import type { Board } from './description.ts';
import { grafanaBoard } from './grafana.ts';
import { messages } from './messages.ts';
import { overview } from './overview.ts';
import { processes } from './processes.ts';
import { webhooksAndProviders } from './webhooks-and-providers.ts';

/* `npm run boards` writes the boards of ops/grafana. With `--check` it fails if a file differs. */

const folder = path.resolve(import.meta.dirname, '../../ops/grafana');

/** All boards, in the order in which an operator opens them. */
export const boards: readonly Board[] = [overview, messages, webhooksAndProviders, processes];

if (import.meta.main) {
  const style = await resolveConfig(path.join(folder, 'overview.json'));
  for (const board of boards) {
    const file = path.join(folder, `${board.name}.json`);
    const wanted = await format(JSON.stringify(grafanaBoard(board)), { ...style, parser: 'json' });
    if (!process.argv.includes('--check')) {
      await writeFile(file, wanted);
    } else if ((await readFile(file, 'utf8').catch(() => '')) !== wanted) {
      console.error(`${path.relative(process.cwd(), file)} is stale: run npm run boards`);
      process.exitCode = 1;
    }
  }
}
