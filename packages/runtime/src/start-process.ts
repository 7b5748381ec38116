import { SettingsError } from './config.ts';
import { keepHeapSmall } from './memory.ts';
import { scrubLine } from './redact.ts';

/**
 * Runs what a process begins with. When that fails the process says why on stderr and exits with 1: what the operator
 * can mend (settings, a port in use, a database that is away) in its own words, anything else with its stack. Secrets
 * are taken out as in the log.
 */
export async function startProcess(processName: string, start: () => Promise<void>): Promise<void> {
  keepHeapSmall();
  try {
    await start();
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
