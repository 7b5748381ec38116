import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { endWithUs } from '@notify/testkit';

export interface WrkOptions {
  readonly url: string;
  /** A script of this folder, and what it is given. */
  readonly script: 'send' | 'bulk' | 'look-up' | 'kannel';
  readonly args: readonly string[];
  readonly connections: number;
  readonly seconds: number;
}

export interface WrkResult {
  /** Answers of the status that was wanted. Where a script ends by count, the figures below say nothing. */
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
  const flags = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    '--timeout',
    '30s',
    '-s',
    file,
    url,
    '--',
    ...args,
  ];
  const child = spawn('wrk', flags, { stdio: ['ignore', 'pipe', 'inherit'] });
  child.once('error', () => undefined);
  endWithUs(child, 'SIGKILL');
  const printed = JSON.parse(await resultOf(child)) as Printed;
  const good = printed.requests - printed.errors;
  return {
    good,
    bad: printed.errors,
    perSecond: (good * 1_000_000) / printed.durationUs,
    p50Ms: printed.p50Us / 1_000,
    p99Ms: printed.p99Us / 1_000,
  };
}

/** The line with the result; wrk that ends by count would go on until its time is over, so it is ended here. */
async function resultOf(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    if (!line.startsWith('{')) continue;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
    return line;
  }
  throw new Error("load comes from wrk, which ended without a word: is Debian's package wrk installed?");
}
