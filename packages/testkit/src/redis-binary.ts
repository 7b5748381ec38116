import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A server's program, and the environment in which it finds its libraries. */
export interface RedisBinary {
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
}

const advice = 'install redis-server or valkey-server, or set TEST_REDIS_URL to a Redis that may be wiped';

/**
 * `redis-server` or `valkey-server` from the PATH, or else Redis unpacked from Debian's packages into `.cache`, which
 * needs no root. Throws a one-line error with advice if neither works.
 */
export async function redisBinary(): Promise<RedisBinary> {
  for (const program of ['redis-server', 'valkey-server']) {
    if (await runs(program, process.env)) return { program, env: process.env };
  }
  const folder = path.resolve(import.meta.dirname, '../../../.cache/redis');
  try {
    if (!existsSync(folder)) await unpack(folder);
  } catch (cause) {
    throw new Error(`there is no Redis, and Debian's package cannot be had: ${advice}`, { cause });
  }
  const unpacked = { program: path.join(folder, 'usr/bin/redis-server'), env: await withLibraries(folder) };
  if (await runs(unpacked.program, unpacked.env)) return unpacked;
  throw new Error(`there is no Redis, and Debian's package does not run here: ${advice}`);
}

async function runs(program: string, env: NodeJS.ProcessEnv): Promise<boolean> {
  return run(program, ['--version'], { env }).then(
    () => true,
    () => false,
  );
}

/** Unpacked to a temporary folder and renamed, so that it is complete or absent. */
async function unpack(folder: string): Promise<void> {
  const unfinished = `${folder}.${process.pid}`;
  const apt = ['-o', `Dir::State::lists=${unfinished}/lists`, '-o', `Dir::Cache=${unfinished}`];
  // Otherwise apt would run as a user who cannot write here.
  const options = [...apt, '-o', 'APT::Sandbox::User=root'];
  await mkdir(path.join(unfinished, 'lists/partial'), { recursive: true });
  await mkdir(path.join(unfinished, 'archives/partial'), { recursive: true });
  try {
    await run('apt-get', [...options, 'update']);
    await run('apt-get', [...options, 'download', ...(await packages(options))], { cwd: unfinished });
    const archives = (await readdir(unfinished)).filter((name) => name.endsWith('.deb'));
    for (const archive of archives) await run('dpkg', ['-x', archive, '.'], { cwd: unfinished });
    // The server and the checker are one program, which acts by the name it is called by.
    await symlink('redis-check-rdb', path.join(unfinished, 'usr/bin/redis-server'));
    for (const scrap of [...archives, 'lists', 'archives']) {
      await rm(path.join(unfinished, scrap), { recursive: true, force: true });
    }
    await rename(unfinished, folder);
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** `redis-tools`, which contains the server's program, and the libraries it needs. */
async function packages(options: readonly string[]): Promise<string[]> {
  const { stdout } = await run('apt-cache', [...options, 'depends', '--important', 'redis-tools']);
  const libraries = Array.from(stdout.matchAll(/^ *\|?Depends: (lib\S+)$/gm), (match) => match[1] ?? '');
  return ['redis-tools', ...libraries.filter((name) => name !== 'libc6')];
}

async function withLibraries(folder: string): Promise<NodeJS.ProcessEnv> {
  const lib = path.join(folder, 'usr/lib');
  const triplets = (await readdir(lib)).map((name) => path.join(lib, name));
  return { ...process.env, LD_LIBRARY_PATH: triplets.join(':') };
}
