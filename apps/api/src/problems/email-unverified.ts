import { Problem } from './problem.ts';

/** Refuses a send of a tenant that must confirm its email address first. */
export function emailUnverified(): Problem {
  return new Problem('forbidden', {
    detail: 'Verify your email address first: open the link in the mail that you got.',
  });
}
