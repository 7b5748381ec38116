import { chmod, mkdtemp, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Linux keeps this folder in memory. A container may have little room in it, and other systems lack it
 * (shm_overview(7)).
 */
const inMemory = '/dev/shm';
const roomBytes = 2_000_000_000;

/**
 * Makes a folder for a Postgres of our own. A folder that need not outlive the machine is in memory if that has room: a
 * test's database has some 300 files, and a disk may take ten times as long to create and remove them. Every user may
 * enter the folder, because for root the server runs as another user.
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
