/**
 * What a database failure says about the work that failed.
 *
 * - `away`: the database takes no work now. Wait, then try again.
 * - `busy`: it could not do this work now. The same work may succeed later.
 * - `conflict`: it undid the work in favour of another transaction. Try again soon.
 * - `data`: a row can never be stored as it is. Trying again is useless.
 * - `unknown`: it refused the work for any other reason.
 *
 * In every case but `away` the database has answered, and has stored nothing of the work.
 */
export type DatabaseFault = 'away' | 'busy' | 'conflict' | 'data' | 'unknown';

/** SQLSTATEs and classes of them (PostgreSQL, appendix A). The first match counts. */
const states: readonly (readonly [RegExp, DatabaseFault])[] = [
  // 40003: it is unknown whether the work was stored.
  [/^40003$/, 'away'],
  [/^40/, 'conflict'],
  // 25006: read-only, like a standby. 28: the password was changed. 53: no memory, disk or connections left.
  [/^(08|28|53|25006)/, 'away'],
  // 25P02 to 25P04: an earlier statement failed, or a timeout ended the transaction. 57014: a statement timeout.
  // 55: another session holds a lock. 58 and XX: an error of the disk, or inside the server.
  [/^(25P0[234]|55|57014|58|XX)/, 'busy'],
  [/^57/, 'away'],
  [/^(22|23|54)/, 'data'],
];

const networkCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ETIMEDOUT',
  'EPIPE',
];

/** Error texts of `pg` that come without a code. */
const networkText =
  /^(timeout exceeded when trying to connect|connection terminated|query read timeout|client was closed|client has encountered a connection error)/i;

/** Judges an error by its SQLSTATE or by how the connection failed. Null for an error from elsewhere. */
export function databaseFault(error: unknown): DatabaseFault | null {
  if (typeof error !== 'object' || error === null) return null;
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code === 'string') {
    if (networkCodes.includes(code)) return 'away';
    if (/^[0-9A-Z]{5}$/.test(code)) return states.find(([state]) => state.test(code))?.[1] ?? 'unknown';
  }
  return typeof message === 'string' && networkText.test(message) ? 'away' : null;
}
