// Follows the instructions of examples/ci without Docker, in an empty folder: with the packages that `npm pack` makes, as an
// integrator would install them. Also runs the `npm ci` of its workflow.
import { execFileSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@notify/testkit';
import { gitFiles } from '../git-files.ts';
import { packLibraries } from '../pack/library.ts';
import { packServer } from '../pack/server.ts';
import { plainEnvironment } from '../plain-environment.ts';

const root = path.resolve(import.meta.dirname, '../..');
const dir = await mkdtemp(path.join(tmpdir(), 'notify-example-'));
const project = path.join(dir, 'orders');
try {
  copyExample();
  const archives = [...(await packLibraries(['sdk'], dir)), packServer(dir)];
  for (const tarball of archives) cpSync(tarball, path.join(project, path.basename(tarball)));
  const env = {
    ...plainEnvironment(),
    NOTIFY_PORT: String(await freePort()),
    NOTIFY_SEED_WEBHOOK_URL: `http://127.0.0.1:${await freePort()}/webhooks/notify`,
  };
  for (const command of [...instructions('Install'), 'npm ci', ...instructions('Without Docker')]) {
    console.log(`example: ${command}`);
    execFileSync('/bin/sh', ['-c', command], { cwd: project, stdio: ['ignore', 'inherit', 'inherit'], env });
  }
  console.log('example: its instructions work');
} finally {
  // The last process of Notify may still write its cache of compiled code there.
  await rm(dir, { recursive: true, force: true, maxRetries: 20 });
}

function copyExample(): void {
  for (const file of gitFiles(root, ['examples/ci']))
    cpSync(path.join(root, file), path.join(project, path.relative('examples/ci', file)));
}

/** The lines of the last shell block of a section of its README. Those above it are for Notify's repository. */
function instructions(section: string): string[] {
  const readme = readFileSync(path.join(root, 'examples/ci/README.md'), 'utf8');
  const [, rest = ''] = readme.split(`## ${section}\n`);
  const [text = ''] = rest.split('\n## ');
  const block = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].at(-1)?.[1] ?? '';
  const lines = block.split('\n').filter(Boolean);
  if (lines.length === 0) throw new Error(`the README has no instructions under "${section}"`);
  return lines;
}
