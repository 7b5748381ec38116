import { readFileSync } from 'node:fs';
import path from 'node:path';
import { readManifest, type Workspace } from './workspaces.ts';

interface Lock {
  readonly packages: Readonly<Record<string, { readonly version?: string }>>;
}

/**
 * The foreign packages that the workspaces need, each in the version that the lock file names and the tests ran with. npm
 * applies `overrides` only in the root of an installation, so the packages that ours name become optional dependencies.
 */
export function dependenciesOf(
  root: string,
  workspaces: readonly Workspace[],
): Record<'dependencies' | 'optionalDependencies', Record<string, string>> {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lock;
  const versions = (kind: 'dependencies' | 'optionalDependencies'): Record<string, string> => {
    const wanted = new Map<string, string>();
    for (const { dir, manifest } of workspaces) {
      for (const name of Object.keys(manifest[kind] ?? {}).filter((one) => !one.startsWith('@notify/'))) {
        const version = lockedVersion(lock, dir, name);
        if ((wanted.get(name) ?? version) !== version)
          throw new Error(
            `${name}: the workspaces use ${wanted.get(name)} and ${version}; a package can name only one`,
          );
        wanted.set(name, version);
      }
    }
    return Object.fromEntries([...wanted].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  };
  return {
    dependencies: versions('dependencies'),
    optionalDependencies: { ...versions('optionalDependencies'), ...readManifest(root, '.').overrides },
  };
}

function lockedVersion({ packages }: Lock, dir: string, name: string): string {
  const entry = packages[`${dir}/node_modules/${name}`] ?? packages[`node_modules/${name}`];
  if (entry?.version === undefined) throw new Error(`package-lock.json has no version of ${name}`);
  return entry.version;
}
