import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { askShared } from './shared.ts';

/** What `npm run dashboard` does: builds it, where it is stale. */
export async function buildDashboard(): Promise<void> {
  await promisify(execFile)(process.execPath, [path.resolve(import.meta.dirname, '../../build/main.ts')]);
}

/** Does so once for all tests of a run. */
export async function untilBuilt(): Promise<void> {
  if ((await askShared('dashboard')) === null) await buildDashboard();
}
