import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { runApp, stopChild } from '@notify/testkit';

/** A program of the benchmarks in its own process. */
export interface RunningProgram {
  readonly pid: number;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

export interface ProgramOptions {
  readonly args?: readonly (string | number)[];
  readonly env?: Readonly<Record<string, string>>;
}

const folder = path.resolve(import.meta.dirname, '..');

/** Starts a file of `trials/bench/`; resolves with its first message or output. Later output is dropped, errors are shown. */
export async function startProgram(
  file: string,
  { args = [], env = {} }: ProgramOptions = {},
): Promise<RunningProgram> {
  const main = path.join(folder, file);
  const child = runApp('bench', { ...process.env, ...env }, { main, args: args.map(String) });
  child.stderr?.pipe(process.stderr);
  const ended = once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended at once`)));
  await Promise.race([once(child, 'message'), once(child.stdout!, 'data'), ended]);
  ended.catch(() => undefined);
  child.stdout?.resume();
  return { pid: child.pid!, process: child, stop: () => stopChild(child) };
}
