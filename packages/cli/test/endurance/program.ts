import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

const main = path.resolve(import.meta.dirname, '../../src/main.ts');

/** A running notifyctl. */
export interface Program {
  readonly process: ChildProcess;
  /** Lines of standard output so far; of `--json`, each is JSON. */
  readonly output: readonly string[];
  /** Lines of standard error so far. */
  readonly errors: readonly string[];
  /** Its exit code, or the signal that killed it. */
  readonly ended: Promise<number | NodeJS.Signals>;
}

/** Starts notifyctl with these arguments, its own environment and no login. */
export function startProgram(args: readonly string[], env: Readonly<Record<string, string>>): Program {
  const child = spawn(process.execPath, [main, ...args], {
    env: { PATH: process.env.PATH, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output: string[] = [];
  const errors: string[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => output.push(line));
  createInterface({ input: child.stderr }).on('line', (line) => errors.push(line));
  const ended = once(child, 'close').then(
    ([code, signal]) => (code as number | null) ?? (signal as NodeJS.Signals),
  );
  const kill = (): void => void child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('close', () => process.off('exit', kill));
  return { process: child, output, errors, ended };
}
