// Tests the Docker image without Docker. It carries out the Dockerfile in an empty folder, then starts the commands of
// docker-compose.yml there, in production mode with a real Postgres and Redis, until each says it is ready. They run as
// there: as another user, without capabilities, on a read-only file system. The image `ci` then runs by itself.
import { type ChildProcess, execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { claimPort, startPostgres } from '@notify/embedded';
import { freePort, startRedis } from '@notify/testkit';
import { gitFiles } from '../git-files.ts';
import { plainEnvironment } from '../plain-environment.ts';
import { tryContainer } from './container.ts';
import { readOnly } from './read-only.ts';
import { commandOf, environmentOf } from './stage-lines.ts';
import { type Unit, readUnits } from './units.ts';
import { untilReady } from './until-ready.ts';

const root = path.resolve(import.meta.dirname, '../..');
const key = (): string => `1:${randomBytes(32).toString('base64')}`;
const secrets = { MASTER_KEYS: key(), JWT_SECRETS: key() };

const dir = await mkdtemp(path.join(tmpdir(), 'notify-image-'));
await chmod(dir, 0o755); // as root, Postgres runs as another user
const postgres = await startPostgres({
  dataDir: path.join(dir, 'data'),
  port: await freePort(),
  password: 'image',
});
const redis = await startRedis();
/** The lines of every stage of the Dockerfile, after the lines of its base stage. */
const stages = readStages();
const container = readOnly(dir);
/** The folders of the stages that have been built. */
const images = new Map<string, string>();
try {
  buildImages();
  const commands = composeCommands();
  const migrate = commands.filter((command) => command.includes('migrate'));
  for (const command of migrate) await ended(start(imageOf(command), command, {}));
  const processes = commands.filter((command) => !migrate.includes(command));
  await Promise.all(processes.map(startsAndStops));
  const units = readUnits();
  for (const unit of units) await runsUnit(unit);
  await tryContainer(
    { folder: built('ci'), lines: stages.get('ci') ?? [], env: containerEnvironment() },
    dir,
  );
  console.log(
    `image steps: ${commands.length} processes, ${units.length} units of systemd and notify all did their work`,
  );
} finally {
  await redis.stop();
  await postgres.stop();
  await rm(postgres.folder, { recursive: true, force: true });
  await rm(dir, { recursive: true, force: true });
}

function readStages(): ReadonlyMap<string, readonly string[]> {
  const linesOf = new Map<string, string[]>();
  for (const stage of readFileSync(path.join(root, 'Dockerfile'), 'utf8').split(/^(?=FROM )/m)) {
    const [, base = '', name = ''] = /^FROM (\S+) AS (\S+)/m.exec(stage) ?? [];
    if (name !== '') linesOf.set(name, [...(linesOf.get(base) ?? []), ...stage.split('\n')]);
  }
  return linesOf;
}

/** Builds every stage that has a command, and the stages these copy from. */
function buildImages(): void {
  for (const [name, lines] of stages) if (lines.some((line) => line.startsWith('CMD '))) built(name);
}

/** The folder of a stage after its COPY and RUN lines, in their order. */
function built(name: string): string {
  const there = images.get(name);
  if (there !== undefined) return there;
  const image = path.join(dir, name);
  images.set(name, image);
  mkdirSync(image);
  for (const line of stages.get(name) ?? []) {
    const [instruction, ...words] = line.split(' ');
    if (instruction === 'COPY') copyAll(words, image);
    if (instruction === 'RUN') run(words.join(' '), image);
  }
  return image;
}

/** `COPY <source>… <target>`, or `COPY --from=<stage> /app/<source> <target>`. */
function copyAll(words: readonly string[], image: string): void {
  const [first = '', ...rest] = words;
  if (!first.startsWith('--from=')) return words.slice(0, -1).forEach((source) => copy(source, image));
  const [source = '', target = ''] = rest;
  const stage = built(first.slice('--from='.length));
  cpSync(path.join(stage, path.relative('/app', source)), path.join(image, target), { recursive: true });
}

/** The image of the stage named after the app; for all other apps `notify`. */
function imageOf(command: readonly string[]): string {
  const app = /apps\/([^/]+)\//.exec(command.join(' '))?.[1] ?? '';
  return images.get(app) ?? images.get('notify')!;
}

/** Copies the files that git knows, without those that .dockerignore excludes. */
function copy(source: string, image: string): void {
  const files = gitFiles(root, [source]).filter((name) => !/\/(test|peer|e2e)\/|\.test\.ts$/.test(name));
  for (const file of files) cpSync(path.join(root, file), path.join(image, file));
}

function run(command: string, image: string): void {
  console.log(`image steps: ${command}`);
  execFileSync('/bin/sh', ['-c', command], {
    cwd: image,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: containerEnvironment(),
  });
}

/** The commands of our processes in docker-compose.yml. */
function composeCommands(): string[][] {
  const compose = readFileSync(path.join(root, 'docker-compose.yml'), 'utf8');
  const lists = Array.from(compose.matchAll(/^ {4}command: (\['node'.*\])$/gm), (match) => match[1] ?? '');
  return lists.map((list) => JSON.parse(list.replaceAll("'", '"')) as string[]);
}

async function startsAndStops(command: readonly string[]): Promise<void> {
  const [port, healthPort] = [await freePort(), await freePort()];
  const child = start(imageOf(command), command, { PORT: String(port), HEALTH_PORT: String(healthPort) });
  await untilReady(child, `http://127.0.0.1:${healthPort}/readyz`);
  await demandHealthcheck(imageOf(command), healthPort);
  if (command.includes('apps/api/src/main.ts')) await demandDashboard(`http://127.0.0.1:${port}/`);
  child.kill('SIGTERM');
  await ended(child);
}

/** Runs the ExecStart line of a unit with its environment, until the process is ready or has ended by itself. */
async function runsUnit(unit: Unit): Promise<void> {
  const [, ...words] = unit.command;
  const environment = unit.environment(String(await instancePort()));
  const child = start(imageOf(words), ['node', ...words], environment);
  if (environment.HEALTH_PORT !== undefined) {
    await untilReady(child, `http://127.0.0.1:${environment.HEALTH_PORT}/readyz`);
    child.kill('SIGTERM');
  }
  await ended(child);
}

/** A port that is free both as it is and with a 1 before it, which is the health port of an api. So it is below 5536. */
async function instancePort(): Promise<number> {
  for (let port = 4000 + (process.pid % 1000); port < 5536; port += 1) {
    const both = [port, 10_000 + port].map((one) => claimPort('127.0.0.1', one));
    if ((await Promise.allSettled(both)).every(({ status }) => status === 'fulfilled')) return port;
  }
  throw new Error('no port below 5536 is free');
}

function start(image: string, command: readonly string[], env: NodeJS.ProcessEnv): ChildProcess {
  const servers = { DATABASE_URL: postgres.url, REDIS_URL: redis.url };
  const settings = { ...environmentOf(linesOf(image)), ...secrets, ...servers, SPOOL_DIR: '/mnt/app/spool' };
  return container.start(image, command, { ...settings, LOG_LEVEL: 'warn', ...env });
}

/** The environment in which the images are built: ours, in production. */
function containerEnvironment(): NodeJS.ProcessEnv {
  return { ...plainEnvironment(), NODE_ENV: 'production' };
}

/** The lines of the stage that was built in this folder. */
function linesOf(image: string): readonly string[] {
  return stages.get(path.basename(image)) ?? [];
}

/** Demands that the image's health check passes at the port of a process, and fails at a port where there is none. */
async function demandHealthcheck(image: string, healthPort: number): Promise<void> {
  const command = commandOf(linesOf(image), 'HEALTHCHECK');
  await ended(start(image, command, { HEALTH_PORT: String(healthPort) }));
  const without = start(image, command, { HEALTH_PORT: String(await freePort()) });
  if ((await once(without, 'exit'))[0] !== 1)
    throw new Error(`${command.join(' ')} passes without a process`);
}

/** Demands that the api serves the dashboard's page, and the script that the page names. */
async function demandDashboard(url: string): Promise<void> {
  const page = await (await fetch(url)).text();
  const script = /<script[^>]* src="([^"]+)"/.exec(page)?.[1];
  if (script === undefined) throw new Error('the image has no dashboard');
  const answer = await fetch(new URL(script, url));
  if (answer.status !== 200) throw new Error(`${script} is answered with ${answer.status}`);
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  if (child.exitCode !== 0) throw new Error(`${child.spawnargs.join(' ')} ended with ${child.exitCode}`);
}
