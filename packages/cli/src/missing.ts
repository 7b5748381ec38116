import type { NotFoundError } from '@notify/sdk';
import { exitCodes } from './exit-codes.ts';
import { CommandFailure } from './failures.ts';
import type { Kind } from './kinds.ts';
import { plain } from './output/plain.ts';
import type { Call } from './program.ts';

/** The failure of a command whose ID names nothing. Null if the command line has no ID. */
export function missing({ command, input }: Call, error: NotFoundError): CommandFailure | null {
  const named = Object.entries({ ...command.arguments, ...command.options }).flatMap(([name, { kind }]) =>
    kind === null || typeof input[name] !== 'string' ? [] : [thingOf(kind, input[name])],
  );
  if (named.length === 0) return null;
  const { status, code, requestId } = error;
  return new CommandFailure(`no ${named.join(' or ')} for this token (${status} ${code})`, {
    exitCode: exitCodes.notFound,
    hint: requestId === undefined ? null : `request ${plain(requestId)}`,
  });
}

function thingOf({ noun }: Kind, id: string): string {
  return `${noun} ${plain(id)}`;
}
