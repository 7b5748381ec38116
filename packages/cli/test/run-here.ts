import { readConfig } from '../src/config.ts';
import type { ExitCode } from '../src/exit-codes.ts';
import { runProgram } from '../src/run.ts';

/** How a run of the program ended. */
export interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface HereOptions {
  /** Standard input. Default: none. */
  readonly input?: string;
  /** Over the environment of this process. An undefined value unsets a variable. */
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** A command line that runs in this process. */
export interface RunningHere {
  /** What it has written to standard output so far. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  /** Asks it to end, as the first signal does. */
  readonly interrupt: () => void;
  /** Its exit code. That of a signal is not among them: a process ends with it. */
  readonly ended: Promise<ExitCode>;
}

/** Our environment without what the program reads, and over it `env`. */
export function environmentOf(env: HereOptions['env'] = {}): Readonly<Record<string, string | undefined>> {
  const { NOTIFY_PROFILE: _profile, NO_COLOR: _colour, FORCE_COLOR: _force, ...ours } = process.env;
  return { ...ours, ...env };
}

/** Starts a command line in this process, as in a pipe: a separate process costs nearly a second of CPU. */
export function startHere(args: readonly string[], { input = '', env }: HereOptions = {}): RunningHere {
  const stopped = new AbortController();
  let stdout = '';
  let stderr = '';
  const ended = runProgram({
    args,
    config: readConfig(environmentOf(env)),
    version: '0.0.0',
    stdin: { isTTY: false, readAll: async () => input },
    stdout: { write: (text) => (stdout += text) },
    stderr: { write: (text) => (stderr += text) },
    signal: stopped.signal,
    allowGrace: () => undefined,
  });
  return { stdout: () => stdout, stderr: () => stderr, interrupt: () => stopped.abort(), ended };
}

/** Runs a command line in this process to its end. */
export async function runHere(args: readonly string[], options?: HereOptions): Promise<Ran> {
  const running = startHere(args, options);
  const code = await running.ended;
  return { code, stdout: running.stdout(), stderr: running.stderr() };
}
