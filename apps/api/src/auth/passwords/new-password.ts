import { type PasswordOwner, weaknessOf } from '@notify/core';
import { invalidRequest } from '../../problems/problem.ts';
import { maxPasswordBytes } from './passwords.ts';

/** Refuses a password that bcrypt would truncate, and one that is too easy to guess. `at` names its field. */
export function requireGoodPassword(password: string, owner: PasswordOwner, at: string): void {
  const message =
    Buffer.byteLength(password) > maxPasswordBytes
      ? `must have at most ${maxPasswordBytes} bytes in UTF-8`
      : weaknessOf(password, owner);
  if (message !== null) throw invalidRequest({ at, message });
}
