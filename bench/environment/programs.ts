import { accessSync, constants } from 'node:fs';
import path from 'node:path';
import { kannelMissing } from '@notify/testkit';

/** A program that a benchmark needs and npm does not install. */
export type NeededProgram = 'wrk' | 'nginx' | 'kannel';

/** Why the program cannot run here, with the Debian package that has it; null if it can. */
export function missing(program: NeededProgram): string | null {
  if (program === 'kannel') return kannelMissing();
  const folders = [...(process.env.PATH ?? '').split(path.delimiter), '/usr/sbin'];
  if (folders.some((folder) => isExecutable(path.join(folder, program)))) return null;
  return `${program} not found: install Debian's package ${program}`;
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
