import { kannelPrograms, missingPrograms } from '@notify/testkit';

/** A program that a benchmark needs and npm does not install. */
export type NeededProgram = 'wrk' | 'nginx' | 'kannel';

/** Why the program cannot run here, with the Debian package that has it; null if it can. */
export function missing(program: NeededProgram): string | null {
  return missingPrograms(program === 'kannel' ? kannelPrograms : [program]);
}
