import type { Log } from './log.ts';

/**
 * How long after the signal a process has ended, in ms: 10 s are promised. What is under way has had its time by then,
 * and so has its settlement; a database that is away is not waited for any longer.
 */
export const shutdownMs = 9_000;

/**
 * How long calls, posts and requests that are under way at the signal may go on, in ms. Whoever answers in normal time,
 * which is 5 s at the most, is heard out.
 */
export const lastCallsMs = 7_000;

/** A terminal's Ctrl-C reaches a process twice when npm runs it: from the terminal, and passed on by npm. */
const sameSignalMs = 500;

export interface ShutdownOptions {
  /** A signal this soon after the first, in ms, is taken for the same one. Default 500. */
  readonly sameSignalMs?: number;
}

/**
 * Ends the process in good order. SIGTERM or SIGINT calls `stop` once and exits with 0 when it is done. With 1 it exits
 * on a second signal, when `stop` fails or takes longer than `deadlineMs`, and at once, after a log line, on an
 * uncaught exception or unhandled rejection: nobody knows what state is left then, and leases cover what was in flight.
 */
export function onShutdown(
  log: Log,
  deadlineMs: number,
  stop: () => Promise<void>,
  options: ShutdownOptions = {},
): void {
  const repeatAfterMs = options.sameSignalMs ?? sameSignalMs;
  let beganAt: number | null = null;

  const onSignal = (signal: NodeJS.Signals): void => {
    if (beganAt === null) {
      beganAt = performance.now();
      log.info({ signal, deadlineMs }, 'shutting down');
      endAfter(log, deadlineMs, stop);
    } else if (performance.now() - beganAt >= repeatAfterMs) {
      log.error({ signal }, 'second signal: exiting at once');
      process.exit(1);
    }
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ err: error, origin }, 'uncaught exception');
    process.exit(1);
  });
}

function endAfter(log: Log, deadlineMs: number, stop: () => Promise<void>): void {
  setTimeout(() => {
    log.error({ deadlineMs }, 'shutdown took too long: exiting');
    process.exit(1);
  }, deadlineMs);
  stop().then(
    () => {
      log.info('shut down');
      process.exit(0);
    },
    (error: unknown) => {
      log.error({ err: error }, 'shutdown failed');
      process.exit(1);
    },
  );
}
