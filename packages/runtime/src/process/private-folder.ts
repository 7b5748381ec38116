import { mkdir } from 'node:fs/promises';
import path from 'node:path';

/** Makes a folder that only its owner may enter, and its missing parents. An existing folder stays as it is. */
export async function makePrivateFolder(folder: string): Promise<void> {
  try {
    await makeOne(folder);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') throw error;
    await mkdir(path.dirname(folder), { recursive: true });
    await makeOne(folder);
  }
}

async function makeOne(folder: string): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

function codeOf(error: unknown): unknown {
  return (error as NodeJS.ErrnoException | null)?.code;
}
