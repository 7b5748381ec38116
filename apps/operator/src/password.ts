import type { PasswordOwner } from '@notify/core';
import { randomBytes } from 'node:crypto';
import type { Input, OperatorDeps } from './command.ts';
import { checkPassword } from './fields.ts';

/** What `--password` is. */
export const passwordOption =
  'a password, or - to read it from standard input; if omitted, one is generated and shown';

/** A password, and the part of an answer that shows it: only one that was made here is shown. */
export interface TakenPassword {
  readonly password: string;
  readonly shown: { readonly password?: string };
}

/** The password `--password` gives, names (`-`) or leaves to us. Throws a CommandError when it is too short, too long or too weak. */
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
