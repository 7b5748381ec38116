import { destination as toFile, type DestinationStream, type Logger, pino } from 'pino';
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
    timestamp: createTimestamp(),
    formatters: { level: (label: string) => ({ level: label }), log: redactFields },
    // `redact` has described the error already; pino's own serializer would show every field of it.
    serializers: { err: (described: unknown) => described },
    hooks: { streamWrite: scrubLine },
  };
  return pino(options, destination);
}

/**
 * From this many bytes on, lines are written before their turn of the event loop is over. With the last line they stay
 * within what a pipe that several processes share takes whole, 4,096 bytes (PIPE_BUF, pipe(7)), unless that is long.
 */
const mostKept = 3_000;

/**
 * Writes the lines of one turn of the event loop together, at its end or when the process exits, so that the last lines
 * are there whatever it ends by, signals that nobody can hear excepted.
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

/** The time of a line as pino wants it; many lines are of the same millisecond, and to write one out takes a microsecond. */
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
