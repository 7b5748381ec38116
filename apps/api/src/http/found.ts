import { Problem } from './problem.ts';

/** What was looked for; a `not-found` Problem where there is none. Another tenant's counts as none. */
export function found<T>(value: T | null): T {
  if (value === null) throw new Problem('not-found');
  return value;
}
