import { setTimeout as wait } from 'node:timers/promises';

/**
 * SQLSTATE classes that say "not now": 08 connection, 53 resources, 57P0x shut down or starting, 57014 `statement_timeout`
 * (PostgreSQL, appendix A).
 */
const awayState = /^(08...|53...|57P0[1-5]|57014)$/;
const awayCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPIPE',
];
/** What `pg` throws without a code. */
const awayText =
  /^(timeout exceeded when trying to connect|connection terminated|query read timeout|client was closed|client has encountered a connection error)/i;

/** Whether an error means that the database cannot be reached or does not take work now, rather than that the work is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (typeof error !== 'object' || error === null) return false;
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  const hasAwayCode = typeof code === 'string' && (awayState.test(code) || awayCodes.includes(code));
  return hasAwayCode || (typeof message === 'string' && awayText.test(message));
}

const firstPauseMs = 100;
const longestPauseMs = 2_000;

/**
 * Does `work` again and again while the database is away, at growing intervals of up to 2 s, and tells `onAway` each
 * time. For what is known nowhere else and must be stored. Other failures are thrown.
 */
export async function whenDatabaseIsBack<T>(
  work: () => Promise<T>,
  onAway: (error: unknown) => void,
): Promise<T> {
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    try {
      return await work();
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      onAway(error);
      await wait(pauseMs);
    }
  }
}
