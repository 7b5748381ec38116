/*
 * `node tools/bare-machine.ts <command> [argument…]` runs a command as on a machine that has Node, npm, Debian's essential
 * packages, and nothing else. The PATH has their programs alone, so `npm test` skips the tests that need others
 * (packages/testkit/src/programs/programs.ts). Needs Debian's `dpkg`. Ends with the command's exit code.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** What Debian's essential packages bring as alternatives, which they do not list. */
const alternatives = ['awk', 'which'];
const folders = ['/usr/local/bin', '/usr/bin', '/bin', '/usr/sbin', '/sbin'];

function essentialPrograms(): string[] {
  const packages = execFileSync('dpkg-query', ['-W', '-f', '${Essential} ${Package}\n'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.startsWith('yes '))
    .map((line) => line.slice('yes '.length));
  return execFileSync('dpkg-query', ['-L', ...packages], { encoding: 'utf8' })
    .split('\n')
    .filter((file) => folders.includes(path.dirname(file)))
    .map((file) => path.basename(file));
}

/** The file of a program outside `node_modules`, whose folder npm puts into the PATH. */
function fileOf(name: string): string | undefined {
  return [...(process.env.PATH ?? '').split(path.delimiter), ...folders]
    .filter((folder) => !folder.includes('node_modules'))
    .map((folder) => path.join(folder, name))
    .find((file) => existsSync(file));
}

const [command, ...args] = process.argv.slice(2);
if (command === undefined) throw new Error('usage: node tools/bare-machine.ts <command> [argument…]');
const programs = mkdtempSync(path.join(tmpdir(), 'notify-bare-'));
try {
  for (const name of new Set(['node', 'npm', 'npx', ...alternatives, ...essentialPrograms()])) {
    const file = fileOf(name);
    if (file !== undefined) symlinkSync(file, path.join(programs, name));
  }
  const { CHROMIUM_PATH: _browser, TEST_REDIS_URL: _testRedis, REDIS_URL: _redis, ...env } = process.env;
  const { status } = spawnSync(command, args, {
    stdio: 'inherit',
    env: { ...env, PATH: programs, BARE_MACHINE: 'true' },
  });
  process.exitCode = status ?? 1;
} finally {
  rmSync(programs, { recursive: true });
}
