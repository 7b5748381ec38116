import { ApiProblem } from '../../api/failure.ts';

/** Somebody who is logged in has no email address to get wrong. */
export function wrongPassword(error: Error | null): Error | null {
  const isWrong = error instanceof ApiProblem && error.code === 'invalid-credentials';
  return isWrong ? new Error('Wrong password.') : error;
}
