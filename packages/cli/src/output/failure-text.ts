import { ApiError, ConnectionError } from '@notify/sdk';
import { lacksScope } from '../login/token.ts';
import { type ExitCode, exitCodes } from '../exit-codes.ts';
import { CommandFailure, UsageFailure } from '../failures.ts';
import { plain } from './plain.ts';

/** The exit code of a failure. */
export function exitCodeOf(error: unknown): ExitCode {
  if (error instanceof CommandFailure) return error.exitCode;
  if (error instanceof ConnectionError) return exitCodes.unavailable;
  return error instanceof ApiError ? ofStatus(error.status) : exitCodes.failed;
}

function ofStatus(status: number): ExitCode {
  switch (status) {
    case 401:
    case 403:
      return exitCodes.refused;
    case 404:
      return exitCodes.notFound;
    case 502:
    case 503:
    case 504:
      return exitCodes.unavailable;
    default:
      return exitCodes.failed;
  }
}

/** How a failure is shown: the command that failed, and the word that begins the text. */
export interface Telling {
  /** `notifyctl messages list`. */
  readonly name: string;
  /** `error:`, coloured or not. */
  readonly error: string;
}

/** The lines that tell a person of a failure. Never a stack trace. */
export function failureLines(error: unknown, { name, error: word }: Telling): string[] {
  if (error instanceof ApiError) return ofApi(error, word);
  if (!(error instanceof Error)) return [`${word} ${plain(String(error))}`];
  if (error.message === '') return [];
  const lines = [`${word} ${plain(error.message)}`];
  if (error instanceof CommandFailure && error.hint !== null) lines.push(`  ${error.hint}`);
  if (error instanceof UsageFailure) lines.push(`  See ${name} --help`);
  return lines;
}

function ofApi(error: ApiError, word: string): string[] {
  const { detail, title, code, status, errors, requestId } = error;
  const faults = errors.map(({ at, message }) => `  ${plain(at)}: ${plain(message)}`);
  const request = requestId === undefined ? '' : `, request ${plain(requestId)}`;
  return [
    `${word} ${plain(detail ?? title)}`,
    ...faults,
    `  ${plain(code)} (${status}${request})`,
    ...(status === 401 ? ['  Run notifyctl login, or check NOTIFY_TOKEN.'] : []),
    ...(lacksScope(error)
      ? ['  Create a token with this scope in the dashboard, under Service tokens, and log in with it.']
      : []),
  ];
}
