import { invalidRequest } from '../http/problem.ts';

/** bcrypt looks at no more than this. */
const maxBytes = 72;

/** Refuses a password that bcrypt would cut; `at` names its field. */
export function requireHashable(password: string, at: string): void {
  if (Buffer.byteLength(password) > maxBytes)
    throw invalidRequest({ at, message: `must have at most ${maxBytes} bytes in UTF-8` });
}
