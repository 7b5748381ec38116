// Runs before `npm start` and `npm test`: installs the packages of package-lock.json if they are missing. With
// `--dashboard` it then builds the dashboard if that is stale. It shows how far it is, and nothing if there is nothing to
// do. It is plain JavaScript for the machine's own Node (20 or later); the packages include Node 24 for npm scripts on Linux.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { showSteps } from './progress.mjs';

const root = new URL('../', import.meta.url);
const steps = showSteps(process.stdout);
const bundledNode = `node_modules/node-linux-${process.arch}`;

if (!hasNode24())
  fail(`Node 24.12 or later is needed on this system; this is ${process.version} (see .nvmrc)`);
if (!installed()) await install();
if (process.argv.includes('--dashboard')) await buildDashboard();

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

async function install() {
  const began = Date.now();
  const wanted = wantedPackages();
  const countThere = () => wanted.filter((at) => isNew(`${at}/package.json`, began)).length;
  steps.begin(`installing ${wanted.length} packages (only the first time)`, () => {
    const rest = countThere() < wanted.length ? '' : ', running their install scripts';
    return `installing packages: ${countThere()} of ${wanted.length}${rest}`;
  });
  const npm = process.env.npm_execpath;
  const [command, ...first] = npm === undefined ? ['npm'] : [process.execPath, npm];
  const args = [...first, 'ci', '--no-audit', '--no-fund', '--no-progress', '--loglevel=error'];
  const end = await run(command, args, ['ignore', 'ignore', 'inherit']);
  steps.end();
  if (end !== 0) fail(`npm ci did not finish (${end}); run it again`);
  // npm leaves out some more optional ones: those that nothing here needs.
  console.log(`installed ${countThere()} packages in ${Math.round((Date.now() - began) / 1000)} s`);
}

/** The folders of the packages that npm installs on this machine. It leaves out optional ones of other systems. */
function wantedPackages() {
  return Object.entries(locked())
    .filter(([at, entry]) => at.includes('node_modules/') && !entry.link && isForHere(entry))
    .map(([at]) => at);
}

function isForHere({ optional, os, cpu, libc }) {
  const { platform, arch } = process;
  const family = usesGlibc() ? 'glibc' : 'musl';
  return (
    optional !== true ||
    (allows(os, platform) && allows(cpu, arch) && (platform !== 'linux' || allows(libc, family)))
  );
}

/** Whether `["linux"]`, `["!win32"]` or a single such word of package.json allows a value. */
function allows(words, value) {
  const list = [words ?? []].flat();
  if (list.includes(value)) return true;
  return !list.includes(`!${value}`) && list.every((one) => one.startsWith('!'));
}

/** Whether a file was made since then. What an earlier installation left behind is removed first, and does not count. */
function isNew(file, since) {
  const clockStepMs = 100;
  return (statSync(new URL(file, root), { throwIfNoEntry: false })?.ctimeMs ?? 0) >= since - clockStepMs;
}

/** Builds the dashboard. Everything else works without it, so a failed build stops nothing. */
async function buildDashboard() {
  const bundled = new URL(`${bundledNode}/bin/node`, root);
  const node = existsSync(bundled) ? fileURLToPath(bundled) : process.execPath;
  // It tells in lines what it does, if it has to do something.
  const told = (line) => {
    if (line.startsWith('building ')) steps.begin(line);
    else if (line.startsWith('built ')) steps.end(line);
    else steps.note(line);
  };
  const end = await run(node, ['apps/dashboard/build/main.ts'], ['ignore', 'pipe', 'inherit'], told);
  if (end === 0) return;
  steps.end();
  console.error('the dashboard could not be built; the rest starts without it');
}

/** Runs a program in our folder. Resolves when it has ended: with 0, or with why that is not so. */
function run(command, args, stdio, onLine = () => undefined) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: root, stdio });
    if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', onLine);
    child.on('error', (error) => resolve(error.message));
    child.on('close', (code, signal) => resolve(code === 0 ? 0 : (signal ?? `exit code ${code}`)));
  });
}

function fail(line) {
  console.error(line);
  process.exit(1);
}
