import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { memoryEnvironment, memoryFlags } from '@notify/runtime';
import { endWithUs } from './end-with-us.ts';

const root = path.resolve(import.meta.dirname, '../../../..');
const endWithParent = pathToFileURL(path.join(root, 'apps/all-in-one/src/end-with-parent.ts')).href;

/** The environment of a child: ours without settings that a shell may hold, plus `settings`. */
export function cleanEnv(settings: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const { DATABASE_URL: _database, MASTER_KEYS: _keys, JWT_SECRETS: _secrets, ...env } = process.env;
  return { ...env, ...settings };
}

export interface AppOptions {
  /** URLs of modules to load before its own code, as `node --import` does. */
  readonly preload?: readonly string[];
  /** A file to which its output is appended directly. Default: this process reads the output. */
  readonly logFile?: string;
  /** The tree whose app it is. Default: this one. */
  readonly tree?: string;
  /** A program to run instead of the app's own `main.ts`. */
  readonly main?: string;
  /** Arguments of the program. */
  readonly args?: readonly string[];
}

/** Starts an app. It ends with this process, even if a test run is killed. */
export function runApp(
  app: string,
  env: NodeJS.ProcessEnv,
  {
    preload = [],
    logFile,
    tree = root,
    main = path.join(tree, 'apps', app, 'src/main.ts'),
    args = [],
  }: AppOptions = {},
): ChildProcess {
  const output = logFile === undefined ? 'pipe' : openSync(logFile, 'a');
  const child = fork(main, args, {
    cwd: tree,
    env: { ...memoryEnvironment, ...env },
    execArgv: [...memoryFlags, ...[endWithParent, ...preload].flatMap((module) => ['--import', module])],
    stdio: ['ignore', output, output, 'ipc'],
  });
  // The app ends by itself, unless it was stopped or hangs.
  endWithUs(child, 'SIGCONT');
  if (output !== 'pipe') closeSync(output);
  return child;
}

/** Appends a child's output to `lines`, line by line, if this process reads it. */
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

/** Sends SIGTERM if the child still runs. Resolves when it has ended. */
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
