import { ApiProblem } from '../../api/failure.ts';

/** Rewords a failed login, because inside a session only the password can be wrong. */
export function wrongPassword(error: Error | null): Error | null {
  const isWrong = error instanceof ApiProblem && error.code === 'invalid-credentials';
  return isWrong ? new Error('Wrong password.') : error;
}
