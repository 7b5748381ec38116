import type { Log } from '../logs/log.ts';

/**
 * How long after the signal a process has ended, in ms. The promise is 10 s. By then running work and its settlement
 * have had their time, and the process no longer waits for a database that is away.
 */
export const shutdownMs = 9_000;

/**
 * How long running calls, posts and requests may continue after the signal, in ms. A normal answer takes at most 5 s,
 * so it still arrives.
 */
export const lastCallsMs = 7_000;

/** With npm, a terminal's Ctrl-C reaches a process twice: from the terminal, and passed on by npm. */
const sameSignalMs = 500;

export interface ShutdownOptions {
  /** A second signal this soon after the first, in ms, counts as the same one. Default 500. */
  readonly sameSignalMs?: number;
}

/**
 * Ends the process in good order. SIGTERM or SIGINT calls `stop` once, and the process exits with 0 when it is done. It
 * exits with 1 on a second signal, and when `stop` fails or takes longer than `deadlineMs`. On an uncaught exception or
 * unhandled rejection it logs a line and exits with 1 at once, because the state is then unknown; leases cover the work
 * in flight.
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
      log.tell('shutting-down', { signal, deadlineMs });
      endAfter(log, deadlineMs, stop);
    } else if (performance.now() - beganAt >= repeatAfterMs) {
      log.tell('shutdown-repeated', { signal });
      process.exit(1);
    }
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('uncaughtException', (error, origin) => {
    log.tell('uncaught-exception', { err: error, origin });
    process.exit(1);
  });
}

function endAfter(log: Log, deadlineMs: number, stop: () => Promise<void>): void {
  setTimeout(() => {
    log.tell('shutdown-overdue', { deadlineMs });
    process.exit(1);
  }, deadlineMs);
  stop().then(
    () => {
      log.tell('shut-down');
      process.exit(0);
    },
    (error: unknown) => {
      log.tell('shutdown-failed', { err: error });
      process.exit(1);
    },
  );
}
