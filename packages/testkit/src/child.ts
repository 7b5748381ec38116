import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { memoryEnvironment, memoryFlags } from '@notify/runtime';
import { endWithUs } from './end-with-us.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const endWithParent = pathToFileURL(path.join(root, 'apps/all-in-one/src/end-with-parent.ts')).href;

/** The environment of a child: ours, without settings somebody's shell may hold, and with these. */
export function cleanEnv(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { DATABASE_URL: _database, MASTER_KEYS: _keys, JWT_SECRETS: _secrets, ...env } = process.env;
  return { ...env, ...settings };
}

export interface AppOptions {
  /** URLs of modules that are loaded before its own code, as `node --import` does. */
  readonly preload?: readonly string[];
  /** A file that what it writes is appended to, without passing through us; default: we read it. */
  readonly logFile?: string;
  /** A program to run instead of the app's own `main.ts`. */
  readonly main?: string;
}

/** Starts an app. It ends with us, also when a test run is killed. */
export function runApp(
  app: string,
  env: NodeJS.ProcessEnv,
  { preload = [], logFile, main = path.join(root, 'apps', app, 'src/main.ts') }: AppOptions = {},
): ChildProcess {
  const output = logFile === undefined ? 'pipe' : openSync(logFile, 'a');
  const child = fork(main, [], {
    cwd: root,
    env: { ...memoryEnvironment, ...env },
    execArgv: [...memoryFlags, ...[endWithParent, ...preload].flatMap((module) => ['--import', module])],
    stdio: ['ignore', output, output, 'ipc'],
  });
  // It ends by itself, unless it was stopped or hangs.
  endWithUs(child, 'SIGCONT');
  if (output !== 'pipe') closeSync(output);
  return child;
}

/** Appends to `lines` what a child writes where we read it, line by line. */
export function keepLines(
  child: ChildProcess,
  lines: string[],
  onLine: (line: string) => void = () => undefined,
): void {
  for (const input of [child.stdout, child.stderr]) {
    if (input === null) continue;
    createInterface({ input }).on('line', (line) => {
      lines.push(line);
      onLine(line);
    });
  }
}

/** SIGTERM where it still runs; resolves when it has ended. */
export async function stopChild(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  await exit;
}

/** Whether it has ended, by itself or by a signal. */
export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}
