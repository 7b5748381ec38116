import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';

/**
 * The files in `places` that belong to the repository: those in git and new ones, without ignored and deleted ones.
 *
 * @param root the folder of the repository; names are relative to it
 */
export function gitFiles(root: string, places: readonly string[]): string[] {
  const command = ['ls-files', '--cached', '--others', '--exclude-standard', ...places];
  const listed = execFileSync('git', command, { cwd: root, maxBuffer: 2 ** 26 });
  const files = new Set(String(listed).split('\n').filter(Boolean));
  return [...files].filter((file) => existsSync(path.join(root, file)));
}
