import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

/** What `npm run dashboard` does: builds it, where it is stale. */
export async function buildDashboard(): Promise<void> {
  await promisify(execFile)(process.execPath, [path.resolve(import.meta.dirname, '../build/main.ts')]);
}
