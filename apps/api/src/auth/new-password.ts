import { invalidRequest } from '../http/problem.ts';
import { maxPasswordBytes } from './passwords.ts';

/** Refuses a password that bcrypt would cut; `at` names its field. */
export function requireHashable(password: string, at: string): void {
  if (Buffer.byteLength(password) > maxPasswordBytes)
    throw invalidRequest({ at, message: `must have at most ${maxPasswordBytes} bytes in UTF-8` });
}
