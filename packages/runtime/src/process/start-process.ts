import { scrubLine } from '../logs/redact.ts';
import path from 'node:path';
import { SettingsError } from '../settings/config.ts';
import { collectAfterStart, keepHeapSmall } from './memory.ts';

/**
 * The URL of a module for `node --import` in a forked process: when the parent is gone, the process ends as on SIGTERM, and at
 * once if that takes more than 10 s. It is `.ts` in the repository and `.js` in the package.
 */
export const endWithParent = new URL(`end-with-parent${path.extname(import.meta.url)}`, import.meta.url).href;

/**
 * Runs the start of a process. If it fails, the process prints the reason on stderr and exits with 1. Problems that the
 * operator can fix (settings, a port in use, a database that is away) are printed as a message, others with their
 * stack. Secrets are removed as in the log.
 */
export async function startProcess(processName: string, start: () => Promise<void>): Promise<void> {
  keepHeapSmall();
  try {
    await start();
    collectAfterStart();
  } catch (error) {
    process.stderr.write(`${processName}: ${scrubLine(explain(error))}\n`);
    process.exit(1);
  }
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError) return error.errors.map(explain).join('; ');
  const isTheOperators = error instanceof SettingsError || 'code' in error;
  return isTheOperators ? error.message : (error.stack ?? error.message);
}
