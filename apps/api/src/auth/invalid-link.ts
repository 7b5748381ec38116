import { invalidRequest, type Problem } from '../problems/problem.ts';

/** Refuses the token of a link, without a word on why it does not work. */
export function invalidLink(): Problem {
  return invalidRequest({
    at: 'body/token',
    message: 'is invalid, expired or already used; ask for a new link',
  });
}
