import { destination as toFile, type DestinationStream, type Logger, pino } from 'pino';
import { type FieldsOf, type KnownEvent, knownEvents, type LogEventName } from './catalogue.ts';
import { levels } from './event.ts';
import { currentRequest } from './in-request.ts';
import { changedLevels, type LevelChange, type LogLevels, type Threshold } from './levels.ts';
import { redact, scrubLine } from './redact.ts';
import { isInShare, isSuccess } from './sampling.ts';

/** Writes the log of one process. */
export interface Log {
  /**
   * Writes one line of a known event, if its component's level admits it and sampling does not leave it out. Never
   * throws.
   */
  tell<E extends LogEventName>(event: E, ...fields: Given<FieldsOf<E>>): void;
  /** Whether lines of this event are written. For events whose fields cost something. */
  tells(event: LogEventName): boolean;
  /** The levels in force. */
  readonly levels: LogLevels;
  /** Puts changes on top of the levels of the start. Replaces earlier changes, so an empty list ends them. */
  changeLevels(changes: readonly LevelChange[]): void;
}

type Given<F> = Partial<F> extends F ? [fields?: F] : [fields: F];

export interface LogSettings {
  /** One level for all components, or LOG_LEVEL. */
  readonly logLevel: Threshold | LogLevels;
  /** The share of lines about successes that is written, from 0 to 1. Default 1. */
  readonly logSuccesses?: number;
}

/**
 * The log of one process: one JSON line per event, on stdout, with `level`, `time` (ISO 8601), `process`, `pid`,
 * `component`, `event`, the event's fields and `msg`. Lines of a request have its `requestId`. Give an error as `err`.
 * Secrets are removed from every line: fields by name, at any depth, and texts by their pattern.
 */
export function createLog(
  { logLevel, logSuccesses = 1 }: LogSettings,
  processName: string,
  destination: DestinationStream = stdout(),
): Log {
  const started: LogLevels =
    typeof logLevel === 'string' ? { every: logLevel, byComponent: new Map() } : logLevel;
  const writer = openWriter(processName, destination);
  let current = started;
  let written = writtenEvents(started);

  function tell(event: LogEventName, given: Fields = {}): void {
    const known = written.get(event);
    if (known === undefined) return;
    const { level, msg, component, background, successes } = known;
    const requestId = background === true ? undefined : currentRequest()?.requestId;
    const line: Fields = { component, event, ...(requestId === undefined ? {} : { requestId }) };
    try {
      Object.assign(line, given);
      if (successes !== undefined && logSuccesses < 1 && isSuccess(successes, line)) {
        if (!isInShare(decider(successes.by, line), logSuccesses)) return;
        line['sampled'] = logSuccesses;
      }
      writer[level](line, msg ?? undefined);
    } catch (error) {
      const err = new Error(error instanceof Error ? error.message : 'unknown');
      writer.error({ component: 'process', event: 'line-lost', lostEvent: event, err }, lineLost);
    }
  }

  return {
    tell,
    tells: (event) => written.has(event),
    get levels() {
      return current;
    },
    changeLevels(changes) {
      current = changedLevels(started, changes);
      written = writtenEvents(current);
    },
  };
}

type Fields = Record<string, unknown>;
const lineLost = knownEvents.get('line-lost')!.msg!;

/** The events whose level their component admits. So an event below it costs one look-up. */
function writtenEvents({ every, byComponent }: LogLevels): ReadonlyMap<string, KnownEvent> {
  const isWritten = ({ component, level }: KnownEvent): boolean => {
    const least = byComponent.get(component) ?? every;
    return least !== 'silent' && levels.indexOf(level) >= levels.indexOf(least);
  };
  return new Map(Array.from(knownEvents).filter(([, event]) => isWritten(event)));
}

/** The id that decides whether a line of a success is written; empty if it has none. */
function decider(by: readonly string[], line: Fields): string {
  for (const name of by) if (typeof line[name] === 'string') return line[name];
  return '';
}

function openWriter(processName: string, destination: DestinationStream): Logger {
  const options = {
    level: 'trace',
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
