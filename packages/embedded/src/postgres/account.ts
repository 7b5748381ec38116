import { execFile } from 'node:child_process';
import { chmod, chown } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The user a server process runs as when we are root, for Postgres refuses to run as root. */
export interface ServerAccount {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * Null when we are not root: then the server runs as we do. As root it is the machine's `postgres` user, or else
 * `nobody`; no user is made, for starting a service should not change who may log in to the machine.
 */
export async function serverAccount(): Promise<ServerAccount | null> {
  if (process.getuid?.() !== 0) return null;
  for (const name of ['postgres', 'nobody']) {
    const [uid, gid] = await Promise.all([idOf('-u', name), idOf('-g', name)]);
    if (uid !== null && gid !== null) return { name, uid, gid };
  }
  throw new Error('Postgres cannot run as root, and this machine has neither a user "postgres" nor "nobody"');
}

/**
 * Lets the account that the server runs as, and nobody else, pass through a folder of ours that is closed to others. Does
 * nothing where the server runs as we do.
 */
export async function admitServer(folder: string): Promise<void> {
  const account = await serverAccount();
  if (account === null) return;
  await chown(folder, -1, account.gid);
  await chmod(folder, 0o710);
}

/** Whether the account can enter a folder; tried for real, for modes of parents, mounts and ACLs all count. */
export async function canEnter(account: ServerAccount, folder: string): Promise<boolean> {
  return succeeds(account, '/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder]);
}

/** Whether a command, run as the account, ends well. */
export async function succeeds(
  account: ServerAccount,
  command: string,
  args: readonly string[],
): Promise<boolean> {
  return run(command, args, { uid: account.uid, gid: account.gid, cwd: '/' }).then(
    () => true,
    () => false,
  );
}

async function idOf(flag: '-u' | '-g', name: string): Promise<number | null> {
  return run('id', [flag, name]).then(
    ({ stdout }) => Number(stdout),
    () => null,
  );
}
