import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

export interface WrkOptions {
  readonly url: string;
  /** A script of this folder, and what it is given. */
  readonly script: 'send' | 'bulk' | 'look-up' | 'kannel';
  readonly args: readonly string[];
  readonly connections: number;
  readonly seconds: number;
}

export interface WrkResult {
  /** Answers of the status that was wanted. */
  readonly good: number;
  /** Answers of another status, and requests without an answer. */
  readonly bad: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

interface Printed {
  requests: number;
  errors: number;
  durationUs: number;
  p50Us: number;
  p99Us: number;
}

/**
 * Sends as fast as it is answered, over connections that are kept open, from a process of its own: wrk, with one thread.
 * Throws where Debian's package wrk is not installed.
 */
export async function wrk({ url, script, args, connections, seconds }: WrkOptions): Promise<WrkResult> {
  const file = path.join(import.meta.dirname, `${script}.lua`);
  const flags = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', file, url, '--', ...args];
  const { stdout } = await run('wrk', flags).catch((cause: unknown) => {
    throw new Error("load comes from wrk: install Debian's package wrk", { cause });
  });
  const line = stdout.split('\n').findLast((one) => one.startsWith('{'));
  if (line === undefined) throw new Error(`wrk told nothing: ${stdout}`);
  const printed = JSON.parse(line) as Printed;
  const good = printed.requests - printed.errors;
  return {
    good,
    bad: printed.errors,
    perSecond: (good * 1_000_000) / printed.durationUs,
    p50Ms: printed.p50Us / 1_000,
    p99Ms: printed.p99Us / 1_000,
  };
}
