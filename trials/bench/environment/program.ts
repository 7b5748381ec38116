import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import path from 'node:path';
import { endWithParent, memoryEnvironment, memoryFlags } from '@notify/runtime';
import { endWithUs } from '@notify/testkit';

/** A program of ours in a process of its own. */
export interface RunningProgram {
  readonly pid: number;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

export interface ProgramOptions {
  readonly args?: readonly (string | number)[];
  readonly env?: Readonly<Record<string, string>>;
  /** File for its output. Without one, its output is read until it is ready and then dropped. */
  readonly logFile?: string;
}

const folder = path.resolve(import.meta.dirname, '..');

/** Starts a file of `trials/bench/`; resolves with its first message or output. */
export async function startProgram(file: string, options: ProgramOptions = {}): Promise<RunningProgram> {
  const { args = [], env = {}, logFile } = options;
  const child = fork(path.join(folder, file), args.map(String), {
    env: { ...memoryEnvironment, ...process.env, ...env },
    execArgv: [...memoryFlags, '--import', endWithParent],
    stdio: ['ignore', logFile === undefined ? 'pipe' : openSync(logFile, 'a'), 'inherit', 'ipc'],
  });
  endWithUs(child, 'SIGCONT');
  const begun = child.stdout === null ? once(child, 'message') : once(child.stdout, 'data');
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended at once`)));
  await Promise.race([begun, ended]);
  ended.catch(() => undefined);
  child.stdout?.resume();
  return {
    pid: child.pid!,
    process: child,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const exit = once(child, 'exit');
      child.kill('SIGTERM');
      await exit;
    },
  };
}
