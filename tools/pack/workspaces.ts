import { readFileSync } from 'node:fs';
import path from 'node:path';

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly engines?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  /** Of the root only: the versions of packages that others depend on. */
  readonly overrides?: Readonly<Record<string, string>>;
}

/** A workspace of the repository, and its folder from the root. */
export interface Workspace {
  readonly dir: string;
  readonly manifest: Manifest;
}

const own = '@notify/';

/** The workspaces of the folders `dirs`, and all that these depend on. */
export function workspacesOf(root: string, dirs: readonly string[]): Workspace[] {
  const found = new Map<string, Workspace>();
  const add = (dir: string): void => {
    if (found.has(dir)) return;
    const manifest = readManifest(root, dir);
    found.set(dir, { dir, manifest });
    for (const name of Object.keys(manifest.dependencies ?? {}))
      if (name.startsWith(own)) add(`packages/${name.slice(own.length)}`);
  };
  for (const dir of dirs) add(dir);
  return [...found.values()];
}

export function readManifest(root: string, dir: string): Manifest {
  return JSON.parse(readFileSync(path.join(root, dir, 'package.json'), 'utf8')) as Manifest;
}
