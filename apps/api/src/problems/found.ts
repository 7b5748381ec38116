import { Problem } from './problem.ts';

/** The value itself, or a thrown `not-found` if it is null. Look-ups answer null for another tenant's rows too. */
export function found<T>(value: T | null): T {
  if (value === null) throw new Problem('not-found');
  return value;
}
