import { chmod, mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Linux keeps this in memory; a container may have little of it, and other systems none (shm_overview(7)). */
const inMemory = '/dev/shm';
const roomBytes = 2_000_000_000;

/**
 * Makes a folder for a Postgres of our own. One that need not outlive the machine is in memory where that has room: a test's
 * database is some 300 files, which a disk may take ten times as long to make and remove. Every user may enter it, for as
 * root the server runs as another.
 */
export async function makeDatabaseFolder(
  prefix: string,
  { durable }: { readonly durable: boolean },
): Promise<string> {
  const parent = !durable && (await hasRoom()) ? inMemory : tmpdir();
  const folder = await mkdtemp(path.join(parent, prefix));
  await chmod(folder, 0o755);
  return folder;
}

async function hasRoom(): Promise<boolean> {
  const system = await statfs(inMemory).catch(() => null);
  return system !== null && system.bavail * system.bsize > roomBytes;
}
