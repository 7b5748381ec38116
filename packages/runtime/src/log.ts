import { destination as toFile, type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import type { Settings } from './config.ts';
import { redact, scrubLine } from './redact.ts';

export type Log = Logger;

/**
 * The log of one process: one JSON line per event, on stdout, with `level`, `time` (ISO 8601), `process`, `pid` and
 * `msg`. Give an error as `err`. Whatever is logged, secrets are taken out: fields by their names, at any depth, and
 * texts by what secrets look like.
 */
export function createLog(
  settings: Pick<Settings, 'logLevel'>,
  processName: string,
  destination: DestinationStream = stdout(),
): Log {
  const options = {
    level: settings.logLevel,
    base: { process: processName, pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), log: redactFields },
    // `redact` has described the error already; pino's own serializer would show every field of it.
    serializers: { err: (described: unknown) => described },
    hooks: { streamWrite: scrubLine },
  };
  return pino(options, destination);
}

/** Written at once, so that the last lines of a process that exits are certainly there. */
function stdout(): DestinationStream {
  return toFile({ dest: 1, sync: true });
}

function redactFields(fields: object): Record<string, unknown> {
  return redact(fields) as Record<string, unknown>;
}
