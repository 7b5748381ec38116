import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { freePort } from './ports.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const endWithParent = pathToFileURL(path.join(root, 'apps/all-in-one/src/end-with-parent.ts')).href;

export interface ServiceOptions {
  /** Settings, over development's defaults. */
  readonly env?: Readonly<Record<string, string>>;
  /** Without it the queue is kept in Postgres. */
  readonly redisUrl?: string;
}

export interface RunningService {
  readonly url: string;
  readonly dataDir: string;
  readonly process: ChildProcess;
  /** What the service has written so far. */
  readonly lines: readonly string[];
  /** Ends it as Ctrl-C does and removes its data. */
  stop(): Promise<void>;
}

/** What `npm start` runs, on a free port and in a data folder of its own; resolves when it says it is ready. */
export async function startService(options: ServiceOptions = {}): Promise<RunningService> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-service-'));
  await chmod(dataDir, 0o755); // as root, Postgres runs as another user
  const env = cleanEnv({ DATA_DIR: dataDir, PORT: '0', REDIS_URL: options.redisUrl ?? '', ...options.env });
  const child = run('all-in-one', env);
  const lines: string[] = [];
  const end = async (): Promise<void> => {
    await stopChild(child);
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    const ready = await lineOf(child, lines, /^ready (\S+)$/);
    return { url: ready, dataDir, process: child, lines, stop: end };
  } catch (error) {
    await end();
    throw error;
  }
}

export interface ProcessesOptions {
  /** A migrated database. */
  readonly databaseUrl: string;
  readonly redisUrl: string | null;
  /** How many of each; default 1. */
  readonly api?: number;
  readonly dispatch?: number;
  readonly webhook?: number;
  readonly env?: Readonly<Record<string, string>>;
}

export interface RunningProcess {
  readonly name: string;
  /** Where it answers `/readyz`; the api's base URL. */
  readonly url: string;
  readonly process: ChildProcess;
  readonly lines: readonly string[];
}

export interface RunningProcesses {
  readonly api: readonly RunningProcess[];
  readonly dispatch: readonly RunningProcess[];
  readonly webhook: readonly RunningProcess[];
  /** SIGTERM to those that still run; resolves when all have ended. */
  stop(): Promise<void>;
}

/** The processes one by one, as production runs them, with development's defaults; resolves when all are ready. */
export async function startProcesses(options: ProcessesOptions): Promise<RunningProcesses> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'notify-processes-'));
  const started: RunningProcess[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(started.map((one) => stopChild(one.process)));
    await rm(dataDir, { recursive: true, force: true });
  };
  const several = async (name: string, count = 1): Promise<RunningProcess[]> => {
    const own = await Promise.all(Array.from({ length: count }, () => startProcess(name, dataDir, options)));
    started.push(...own);
    return own;
  };
  try {
    const api = await several('api', options.api);
    const dispatch = await several('dispatch-worker', options.dispatch);
    const webhook = await several('webhook-worker', options.webhook);
    await Promise.all(started.map(untilReady));
    return { api, dispatch, webhook, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function startProcess(
  name: string,
  dataDir: string,
  options: ProcessesOptions,
): Promise<RunningProcess> {
  const port = String(await freePort());
  const env = cleanEnv({
    NOTIFY_MODE: 'development',
    DATA_DIR: dataDir,
    DATABASE_URL: options.databaseUrl,
    REDIS_URL: options.redisUrl ?? '',
    ...(name === 'api' ? { PORT: port } : { HEALTH_PORT: port }),
    ...options.env,
  });
  const child = run(name, env);
  const lines: string[] = [];
  keepLines(child, lines);
  return { name, url: `http://127.0.0.1:${port}`, process: child, lines };
}

/** The environment of a child: ours, without settings somebody's shell may hold, and with these. */
function cleanEnv(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { DATABASE_URL: _database, MASTER_KEYS: _keys, JWT_SECRETS: _secrets, ...env } = process.env;
  return { ...env, ...settings };
}

/** It ends with us, also when a test run is killed. */
function run(app: string, env: NodeJS.ProcessEnv): ChildProcess {
  return fork(path.join(root, 'apps', app, 'src/main.ts'), [], {
    cwd: root,
    env,
    execArgv: ['--import', endWithParent],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
}

function keepLines(
  child: ChildProcess,
  lines: string[],
  onLine: (line: string) => void = () => undefined,
): void {
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input: input! }).on('line', (line) => {
      lines.push(line);
      onLine(line);
    });
  }
}

/** The first group of the first line that matches; rejects, with what was written, when the process ends before. */
function lineOf(child: ChildProcess, lines: string[], pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    keepLines(child, lines, (line) => {
      const found = pattern.exec(line)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('close', () =>
      reject(new Error(`the service ended before it was ready:\n${lines.join('\n')}`)),
    );
  });
}

async function untilReady(one: RunningProcess): Promise<void> {
  while (!hasEnded(one.process)) {
    const answer = await fetch(`${one.url}/readyz`).catch(() => null);
    await answer?.body?.cancel();
    if (answer?.status === 200) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${one.name} ended before it was ready:\n${one.lines.join('\n')}`);
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
