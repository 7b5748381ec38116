import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { endWithParent, memoryEnvironment, memoryFlags } from '@notify/runtime';
import { endWithUs } from './end-with-us.ts';

const root = path.resolve(import.meta.dirname, '../../../..');

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
  /** A program to run instead of the app's own. */
  readonly main?: string;
  /** Arguments of the program. */
  readonly args?: readonly string[];
}

/** Starts what `npm run <app>` starts. It ends with this process, even if a test run is killed. */
export function runApp(
  app: string,
  env: NodeJS.ProcessEnv,
  { preload = [], logFile, tree = root, main = mainOf(app, tree), args = [] }: AppOptions = {},
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

/** The program of an app, from the scripts of its tree: `exec node <program>`. */
function mainOf(app: string, tree: string): string {
  const { scripts } = JSON.parse(readFileSync(path.join(tree, 'package.json'), 'utf8')) as {
    scripts: Readonly<Record<string, string>>;
  };
  const program = /^exec node (\S+)$/.exec(scripts[app] ?? '')?.[1];
  if (program === undefined) throw new Error(`package.json of ${tree} has no script that starts ${app}`);
  return path.join(tree, program);
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
