import { execFileSync } from 'node:child_process';
import { lstat, mkdir, mkdtemp, readdir, readFile, readlink, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../../..');

/** The commit of the previous release: a line in `previous.txt`, changed with each release. */
export async function previousCommit(): Promise<string> {
  return (await readFile(path.join(import.meta.dirname, 'previous.txt'), 'utf8')).trim();
}

/** The tree of another commit, ready to run. */
export interface OtherTree extends AsyncDisposable {
  readonly root: string;
}

/**
 * Extracts a commit into its own folder, with what it depends on: this tree's packages if both lock files name the
 * same ones, which takes a second, else those that `npm ci` installs. Rejects if the commit is not in this clone.
 */
export async function checkOut(commit: string): Promise<OtherTree> {
  const folder = await mkdtemp(path.join(tmpdir(), 'notify-previous-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const archive = path.join(folder, 'tree.tar');
    const tree = path.join(folder, 'tree');
    await mkdir(tree);
    gitArchive(commit, archive);
    execFileSync('tar', ['-xf', archive, '-C', tree]);
    if (await hasSamePackages(tree))
      await linkPackages(path.join(root, 'node_modules'), path.join(tree, 'node_modules'));
    else
      execFileSync('npm', ['ci', '--no-audit', '--no-fund'], {
        cwd: tree,
        stdio: ['ignore', 'ignore', 'inherit'],
      });
    return { root: tree, [Symbol.asyncDispose]: remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

function gitArchive(commit: string, archive: string): void {
  try {
    execFileSync('git', ['archive', '--format=tar', '--output', archive, commit], {
      cwd: root,
      stdio: 'pipe',
    });
  } catch (error) {
    throw new Error(`this clone has no commit ${commit}: fetch the whole history`, { cause: error });
  }
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string; readonly link?: boolean }>>;
}

async function hasSamePackages(tree: string): Promise<boolean> {
  const [ours, theirs] = await Promise.all([root, tree].map(installedBy));
  return ours === theirs;
}

/** What a lock file installs from elsewhere. */
async function installedBy(tree: string): Promise<string> {
  const { packages } = JSON.parse(await readFile(path.join(tree, 'package-lock.json'), 'utf8')) as Lock;
  const foreign = Object.entries(packages).filter(
    ([at, { link }]) => at.includes('node_modules/') && link !== true,
  );
  return JSON.stringify(foreign.map(([at, { version }]) => `${at} ${version}`).toSorted());
}

/** Links each package. A link to a workspace is relative, and leads to the workspace of its own tree. */
async function linkPackages(from: string, to: string): Promise<void> {
  await mkdir(to);
  for (const name of await readdir(from)) {
    const [source, target] = [path.join(from, name), path.join(to, name)];
    if ((await lstat(source)).isSymbolicLink()) await symlink(await readlink(source), target);
    else if (name.startsWith('@')) await linkPackages(source, target);
    else await symlink(source, target);
  }
}
