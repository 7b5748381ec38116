import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { endWithUs } from '@notify/testkit';

export interface WrkOptions {
  readonly url: string;
  /** A script in this folder; `args` are its arguments. */
  readonly script: 'send' | 'template' | 'bulk' | 'look-up' | 'kannel';
  readonly args: readonly string[];
  readonly connections: number;
  readonly seconds: number;
}

export interface WrkResult {
  /** Answers with the expected status. The rates and times below mean nothing for a script that ends by count. */
  readonly good: number;
  /** Answers with another status, and requests without an answer. */
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
 * Runs wrk with one thread: it sends over open connections, each request as soon as the one before is answered.
 * Throws where wrk is not installed (Debian's package wrk).
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

/**
 * Returns the line with the result and ends wrk, because a script that ends by count would otherwise run for its
 * whole time.
 */
async function resultOf(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    if (!line.startsWith('{')) continue;
    const closed = once(child, 'close');
    child.kill('SIGKILL');
    await closed;
    return line;
  }
  throw new Error("wrk ended without a result: is Debian's package wrk installed?");
}
