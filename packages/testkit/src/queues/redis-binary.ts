import { execFile } from 'node:child_process';
import { mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { findProgram, unpackedRedis } from '../programs/programs.ts';

const run = promisify(execFile);

/** A server's program, and the environment in which it finds its libraries. */
export interface RedisBinary {
  readonly program: string;
  readonly env: NodeJS.ProcessEnv;
}

const advice = 'install redis-server or valkey-server';

/**
 * `redis-server` or `valkey-server` from the PATH, or else Redis unpacked from Debian's packages into `.cache`, which
 * needs no root. Throws a one-line error with advice if neither works.
 */
export async function redisBinary(): Promise<RedisBinary> {
  const found = findProgram('redis-server');
  if (found !== null && !found.startsWith(unpackedRedis)) return { program: found, env: process.env };
  try {
    if (found === null) await unpack(unpackedRedis);
  } catch (cause) {
    throw new Error(`there is no Redis, and Debian's package cannot be had: ${advice}`, { cause });
  }
  const program = path.join(unpackedRedis, 'usr/bin/redis-server');
  const env = await withLibraries(unpackedRedis);
  await run(program, ['--version'], { env }).catch((cause: unknown) => {
    throw new Error(`there is no Redis, and Debian's package does not run here: ${advice}`, { cause });
  });
  return { program, env };
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
