import { destination as toFile, type DestinationStream, type Logger, pino } from 'pino';
import type { Settings } from './config.ts';
import { redact, scrubLine } from './redact.ts';

export type Log = Logger;

/**
 * The log of one process: one JSON line per event, on stdout, with `level`, `time` (ISO 8601), `process`, `pid` and
 * `msg`. Give an error as `err`. Secrets are removed from every line: fields by name, at any depth, and texts by their
 * pattern.
 */
export function createLog(
  settings: Pick<Settings, 'logLevel'>,
  processName: string,
  destination: DestinationStream = stdout(),
): Log {
  const options = {
    level: settings.logLevel,
    base: { process: processName, pid: process.pid },
    timestamp: createTimestamp(),
    formatters: { level: (label: string) => ({ level: label }), log: redactFields },
    // `redact` has already described the error. Pino's own serializer would show all its fields.
    serializers: { err: (described: unknown) => described },
    hooks: { streamWrite: scrubLine },
  };
  return pino(options, destination);
}

/**
 * From this many bytes on, lines are written before their turn of the event loop ends. Together with the last line,
 * unless that is long, they stay within the 4,096 bytes that a pipe shared by several processes takes whole (PIPE_BUF,
 * pipe(7)).
 */
const mostKept = 3_000;

/**
 * Writes the lines of one turn of the event loop together, at its end or when the process exits. So the last lines are
 * written however the process ends, except after a signal that cannot be handled.
 */
function stdout(): DestinationStream {
  const file = toFile({ dest: 1, sync: true, minLength: mostKept });
  let willWrite = false;
  const writeAll = (): void => {
    willWrite = false;
    process.off('exit', writeAll);
    file.flush(); // `flushSync` would also wait for the disk
  };
  return {
    write(line) {
      file.write(line);
      if (willWrite) return;
      willWrite = true;
      setImmediate(writeAll);
      process.on('exit', writeAll);
    },
  };
}

/**
 * The time of a line in pino's format. Formatting costs a microsecond, so lines of one millisecond share the result.
 */
function createTimestamp(): () => string {
  let writtenMs = NaN;
  let written = '';
  return () => {
    const nowMs = Date.now();
    if (nowMs !== writtenMs) written = `,"time":"${new Date((writtenMs = nowMs)).toISOString()}"`;
    return written;
  };
}

function redactFields(fields: object): Record<string, unknown> {
  return redact(fields) as Record<string, unknown>;
}
