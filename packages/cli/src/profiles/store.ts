import { chmod, mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { CommandFailure, UsageFailure } from '../failures.ts';

/** What `login` keeps. */
export interface Profile {
  readonly url: string;
  readonly token: string;
}

/** The saved profile of this name, or null. Refuses a file that others can read, as ssh does. */
export async function readProfile(folder: string, name: string): Promise<Profile | null> {
  const file = fileOf(folder, name);
  const found = await stat(file).catch(absent);
  if (found === null) return null;
  if (process.platform !== 'win32' && (found.mode & 0o077) !== 0)
    throw new CommandFailure(`${file} holds a token and can be read by other users`, {
      hint: `Run: chmod 600 ${file}`,
    });
  return parse(await readFile(file, 'utf8'), file);
}

/** Saves a profile, readable by this user alone. A reader sees the old file or the new one, never half of one. */
export async function saveProfile(folder: string, name: string, profile: Profile): Promise<string> {
  const file = fileOf(folder, name);
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const half = `${file}.${process.pid}`;
  await writeFile(half, `${JSON.stringify(profile, null, 2)}\n`, { mode: 0o600, flag: 'w' });
  await chmod(half, 0o600);
  await rename(half, file);
  return file;
}

/** Removes a profile. False if there was none. */
export async function removeProfile(folder: string, name: string): Promise<boolean> {
  const file = fileOf(folder, name);
  if ((await stat(file).catch(absent)) === null) return false;
  await rm(file);
  return true;
}

/** The names of the saved profiles. */
export async function profileNames(folder: string): Promise<string[]> {
  const files = (await readdir(path.join(folder, 'profiles')).catch(absent)) ?? [];
  return files
    .filter((file) => file.endsWith('.json'))
    .map((file) => file.slice(0, -'.json'.length))
    .sort();
}

function fileOf(folder: string, name: string): string {
  if (/^[\w-]{1,64}$/.test(name)) return path.join(folder, 'profiles', `${name}.json`);
  throw new UsageFailure('the name of a profile has letters, digits, - and _ only, and at most 64');
}

function parse(text: string, file: string): Profile {
  try {
    const { url, token } = JSON.parse(text) as Partial<Profile>;
    if (typeof url === 'string' && typeof token === 'string') return { url, token };
  } catch {
    // Falls through to the same answer.
  }
  throw new CommandFailure(`${file} is damaged`, { hint: 'Run notifyctl login again.' });
}

function absent(error: unknown): null {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null;
  throw error;
}
