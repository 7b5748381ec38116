import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

/** The dashboard's folder. */
export const app = path.resolve(import.meta.dirname, '..');
/** What the build writes, and the api serves. */
export const dist = path.join(app, 'dist');

const stampFile = path.join(dist, '.inputs');
const parts = [
  'src',
  'public',
  'build',
  'index.html',
  'package.json',
  '../../packages/core/src',
  '../../package-lock.json',
];

/** A digest of all that the built dashboard depends on: its sources, the build, the pure package and the packages' lock. */
export async function digestInputs(): Promise<string> {
  const hash = createHash('sha256');
  for (const part of parts) for (const file of await filesOf(path.join(app, part))) await add(file, hash);
  return hash.digest('hex');
}

/** Whether what was built last was built from these inputs. */
export async function isFresh(digest: string): Promise<boolean> {
  return (await readFile(stampFile, 'utf8').catch(() => '')) === digest;
}

/** Where the digest is kept beside what was built from it. */
export function stampIn(folder: string): string {
  return path.join(folder, path.basename(stampFile));
}

async function add(file: string, hash: ReturnType<typeof createHash>): Promise<void> {
  const bytes = await readFile(file);
  hash.update(`${path.relative(app, file)}\n${bytes.length}\n`).update(bytes);
}

async function filesOf(at: string): Promise<string[]> {
  const entries = await readdir(at, { recursive: true, withFileTypes: true }).catch(() => null);
  if (entries === null) return [at];
  return entries
    .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}
