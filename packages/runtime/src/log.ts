import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
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
  destination?: DestinationStream,
): Log {
  const options = {
    level: settings.logLevel,
    base: { process: processName, pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }), bindings: redactFields, log: redactFields },
    hooks: { streamWrite: scrubLine },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}

function redactFields(fields: object): Record<string, unknown> {
  return redact(fields) as Record<string, unknown>;
}
