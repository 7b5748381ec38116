import { execFile } from 'node:child_process';
import { chmod, chown } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** The user of the server process when we are root, because Postgres refuses to run as root. */
export interface ServerAccount {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * The server's account. Null if we are not root, and then the server runs as our own user. For root it is the machine's
 * `postgres` user, or else `nobody`. No user is created, because starting a service should not change who may log in to
 * the machine.
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
 * Lets the server's account, and no other, pass through a folder of ours that is closed to others. Does nothing if the
 * server runs as our own user.
 */
export async function admitServer(folder: string): Promise<void> {
  const account = await serverAccount();
  if (account === null) return;
  await chown(folder, -1, account.gid);
  await chmod(folder, 0o710);
}

/** Whether the account can enter a folder. This really tries, because modes of parents, mounts and ACLs all count. */
export async function canEnter(account: ServerAccount, folder: string): Promise<boolean> {
  return succeeds(account, '/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder]);
}

/** Whether a command succeeds when the account runs it. */
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
