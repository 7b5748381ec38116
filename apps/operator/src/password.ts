import type { PasswordOwner } from '@notify/core';
import { randomBytes } from 'node:crypto';
import type { Input, OperatorDeps } from './command.ts';
import { checkPassword } from './fields.ts';

/** The help text of `--password`. */
export const passwordOption =
  'a password, or - to read it from standard input; if omitted, one is generated and shown';

/** A password, and the part of the answer that shows it. Only a generated password is shown. */
export interface TakenPassword {
  readonly password: string;
  readonly shown: { readonly password?: string };
}

/**
 * The password of `--password`: given, read from standard input (`-`), or generated. Throws a CommandError if it is too
 * short, too long or too weak.
 */
export async function takePassword(
  { options }: Pick<Input, 'options'>,
  owner: PasswordOwner,
  readLine: OperatorDeps['readLine'],
): Promise<TakenPassword> {
  if (options.password === undefined) {
    const password = newPassword();
    return { password, shown: { password } };
  }
  const given = options.password === '-' ? await readLine() : options.password;
  return { password: checkPassword(given, owner), shown: {} };
}

/** 144 random bits. */
function newPassword(): string {
  return randomBytes(18).toString('base64url');
}
