import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { processNames } from '@notify/core';
import { gitFiles } from '../git-files.ts';
import { compile } from './compile.ts';
import { dependenciesOf } from './dependencies.ts';
import { npmPack } from './npm-pack.ts';
import { readManifest, type Workspace, workspacesOf } from './workspaces.ts';

/*
 * notify-server-<version>.tgz is the whole service as an npm package, for `npx @notify/server all`.
 * Node refuses to strip types below node_modules, so the sources are compiled to JavaScript. They keep their places, because
 * they find migrations and the dashboard by them. A process under another licence than the rest stays out: whatsapp-sessions is
 * GPL-3.0-or-later.
 */

const root = path.resolve(import.meta.dirname, '../..');
/** The apps in the package. */
const apps = ['all-in-one', 'operator', ...processNames].filter(
  (app) => readManifest(root, `apps/${app}`).license === readManifest(root, '.').license,
);

/** Packs the service and returns the path of its tarball, which is in the folder `to`. */
export function packServer(to: string): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'notify-pack-'));
  try {
    build(folder);
    return npmPack(folder, to);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function build(folder: string): void {
  const workspaces = workspacesOf(
    root,
    apps.map((app) => `apps/${app}`),
  );
  for (const file of filesOf(workspaces)) write(folder, file, workspaces);
  buildDashboard(folder);
  copyFile('LICENSE', folder);
  cpSync(path.join(import.meta.dirname, 'server-readme.md'), path.join(folder, 'README.md'));
  for (const { dir } of workspaces) writeManifest(folder, dir, { type: 'module', version: versionOf(dir) });
  writeManifest(folder, '.', serverManifest(workspaces));
}

function serverManifest(workspaces: readonly Workspace[]): object {
  const { version, license, engines } = readManifest(root, '.');
  return {
    name: '@notify/server',
    version,
    description: 'Notify, the whole service in one process tree, for development and tests.',
    license,
    type: 'module',
    engines,
    bin: { notify: 'bin/notify.js' },
    ...dependenciesOf(root, workspaces),
  };
}

/** The files that the service needs, as git knows them: the sources without tests, and the pages that the api serves. */
function filesOf(workspaces: readonly Workspace[]): string[] {
  const places = ['bin', 'migrations', 'docs', ...workspaces.map(({ dir }) => `${dir}/src`)];
  return gitFiles(root, places).filter((file) => !unneeded.test(file));
}

const unneeded = /\.test\.ts$|^docs\/(decisions|images)\//;

function write(folder: string, file: string, workspaces: readonly Workspace[]): void {
  const isProgram = file === 'bin/notify';
  if (!isProgram && !file.endsWith('.ts')) return copyFile(file, folder);
  const target = path.join(folder, isProgram ? 'bin/notify.js' : file.replace(/\.ts$/, '.js'));
  mkdirSync(path.dirname(target), { recursive: true });
  writeFileSync(target, compile(root, file, workspaces));
  if (isProgram) chmodSync(target, 0o755);
}

function copyFile(file: string, folder: string): void {
  cpSync(path.join(root, file), path.join(folder, file));
}

function buildDashboard(folder: string): void {
  const dist = 'apps/dashboard/dist';
  execFileSync(process.execPath, ['apps/dashboard/build/main.ts'], { cwd: root, stdio: 'inherit' });
  cpSync(path.join(root, dist), path.join(folder, dist), { recursive: true });
}

function versionOf(dir: string): string {
  return readManifest(root, dir).version;
}

function writeManifest(folder: string, dir: string, manifest: object): void {
  writeFileSync(path.join(folder, dir, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
