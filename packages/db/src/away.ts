/** SQLSTATE classes that say "not now": 08 connection, 53 resources, 57P0x shut down or starting (PostgreSQL, appendix A). */
const awayState = /^(08...|53...|57P0[1-5])$/;
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
  /^(timeout exceeded when trying to connect|connection terminated|query read timeout|client has encountered a connection error)/i;

/** Whether an error means that the database cannot be reached or does not take work now, rather than that the work is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return awayState.test(code) || awayCodes.includes(code) || awayText.test(error.message);
}
