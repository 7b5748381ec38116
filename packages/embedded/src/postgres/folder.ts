import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { chmod, lstat, mkdir, readdir, readFile, readlink, symlink } from 'node:fs/promises';
import path from 'node:path';
import { canEnter, type ServerAccount } from './account.ts';

/** The folder where root keeps the data of a server whose account cannot reach the requested folder. */
const spare = '/var/lib/notify';

/**
 * The folder that the server will use. It is `wanted`, unless we are root and `wanted` lies below a folder that the
 * server's account cannot enter (such as /root). Then it is a new folder below /var/lib/notify, and `wanted` becomes a
 * link to it. So deleting `wanted` still means a fresh start.
 */
export async function reachableFolder(
  wanted: string,
  account: ServerAccount | null,
  say: (line: string) => void,
): Promise<string> {
  const parent = path.dirname(wanted);
  await mkdir(parent, { recursive: true });
  const found = await lstat(wanted).catch(() => null);
  if (found?.isSymbolicLink()) return path.resolve(parent, await readlink(wanted));
  if (account === null || (await canEnter(account, parent))) return wanted;
  if (found !== null)
    throw new Error(`the user ${account.name}, which runs Postgres for root, cannot access ${parent}`);
  await mkdir(spare, { recursive: true });
  await chmod(spare, 0o755);
  const folder = path.join(spare, `postgres-${randomBytes(6).toString('hex')}`);
  await symlink(folder, wanted);
  say(`the user ${account.name} cannot access ${parent}, so Postgres stores its data in ${folder}`);
  return folder;
}

/**
 * Whether a folder holds a complete cluster of the wanted major version. False if it is missing or empty. Throws if it
 * holds anything else, because that is somebody's data, or half of it.
 */
export async function holdsCluster(folder: string, majorVersion: string): Promise<boolean> {
  const names = existsSync(folder) ? await readdir(folder) : [];
  if (names.length === 0) return false;
  if (!names.includes('PG_VERSION') || !existsSync(path.join(folder, 'global/pg_control'))) {
    throw new Error(`${folder} contains an incomplete database: move or delete it, then start again`);
  }
  const version = (await readFile(path.join(folder, 'PG_VERSION'), 'utf8')).trim();
  if (version === majorVersion) return true;
  throw new Error(
    `the database in ${folder} was created by Postgres ${version}, but this is Postgres ${majorVersion}`,
  );
}
