import { type ConnectionError, TimeoutError } from '@notify/sdk';
import { exitCodes } from './exit-codes.ts';
import { CommandFailure } from './failures.ts';

/** Reasons by the codes of Node (https://nodejs.org/api/errors.html#common-system-errors) and of undici, its fetch. */
const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the connection broke',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ENOTFOUND: 'unknown host name',
  EAI_AGAIN: 'the host name cannot be looked up now',
  ETIMEDOUT: 'no connection in time',
  UND_ERR_CONNECT_TIMEOUT: 'no connection in time',
  UND_ERR_SOCKET: 'the connection broke',
};

/** The failure of a command whose service cannot be reached, with the reason and what to check. */
export function unreachable(url: string, error: ConnectionError): CommandFailure {
  return new CommandFailure(`cannot reach ${url}: ${reasonOf(error)}`, {
    exitCode: exitCodes.unavailable,
    hint: 'Is it running? Check --url, NOTIFY_URL or the login.',
  });
}

function reasonOf(error: ConnectionError): string {
  if (error instanceof TimeoutError) return error.message;
  const innermost = innermostOf(error);
  return reasons[innermost.code ?? ''] ?? (innermost.message || String(innermost.code));
}

function innermostOf(error: NodeJS.ErrnoException): NodeJS.ErrnoException {
  return error.cause instanceof Error ? innermostOf(error.cause) : error;
}
