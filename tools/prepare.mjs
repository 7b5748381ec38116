// Runs before `npm start` and `npm test`: installs the packages of package-lock.json if they are missing. With
// `--dashboard` it then builds the dashboard if that is stale. It is plain JavaScript for the machine's own Node (20 or
// later); the packages include Node 24 for npm scripts on Linux.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = new URL('../', import.meta.url);
const bundledNode = `node_modules/node-linux-${process.arch}`;

if (!hasNode24())
  fail(`Node 24.12 or later is needed on this system; this is ${process.version} (see .nvmrc)`);
if (!installed()) install();
if (process.argv.includes('--dashboard')) buildDashboard();

/** On Linux the packages include Node 24; elsewhere it must be installed. */
function hasNode24() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const bundled = process.platform === 'linux' && bundledNode in locked() && usesGlibc();
  return bundled || major > 24 || (major === 24 && minor >= 12);
}

function usesGlibc() {
  return process.report.getReport().header.glibcVersionRuntime !== undefined;
}

/**
 * Whether the packages are installed. npm writes the hidden lock file last, so an interrupted installation has none.
 * Content is compared, not age: a checkout changes file times, and a newer file may be an older lock.
 */
function installed() {
  const there = packagesOf('node_modules/.package-lock.json');
  return Object.entries(locked())
    .filter(([at, entry]) => at.startsWith('node_modules/') && (!entry.optional || at === bundledNode))
    .every(([at, entry]) => at in there && there[at].integrity === entry.integrity);
}

function locked() {
  return packagesOf('package-lock.json');
}

function packagesOf(file) {
  const at = new URL(file, root);
  return existsSync(at) ? JSON.parse(readFileSync(at, 'utf8')).packages : {};
}

function install() {
  console.log('installing packages (the first time takes about half a minute)');
  const npm = process.env.npm_execpath;
  const [command, ...first] = npm === undefined ? ['npm'] : [process.execPath, npm];
  const result = spawnSync(command, [...first, 'ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  if (result.status !== 0)
    fail(`npm ci did not finish (${result.signal ?? `exit code ${result.status}`}); run it again`);
}

/** Builds the dashboard. Everything else works without it, so a failed build stops nothing. */
function buildDashboard() {
  const bundled = new URL(`${bundledNode}/bin/node`, root);
  const node = existsSync(bundled) ? fileURLToPath(bundled) : process.execPath;
  const result = spawnSync(node, ['apps/dashboard/build/main.ts'], { cwd: root, stdio: 'inherit' });
  if (result.status !== 0) console.error('the dashboard could not be built; the rest starts without it');
}

function fail(line) {
  console.error(line);
  process.exit(1);
}
