#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { readConfig } from './config.ts';
import { exitCodes } from './exit-codes.ts';
import { runProgram } from './run.ts';

const stopped = new AbortController();
const endings = { SIGINT: exitCodes.interrupted, SIGTERM: exitCodes.terminated } as const;
/** How long a command may go on after the first signal, in ms. */
let graceMs = 1_000;
let ended: (typeof endings)[keyof typeof endings] | null = null;

for (const [signal, exitCode] of Object.entries(endings))
  process.on(signal, () => {
    // A second signal ends at once, and so does the end of the grace.
    if (ended !== null) process.exit(exitCode);
    ended = exitCode;
    stopped.abort();
    setTimeout(() => process.exit(exitCode), graceMs).unref();
  });

// `notifyctl … | head` closes the pipe when it has seen enough.
for (const stream of [process.stdout, process.stderr])
  stream.on('error', (error: NodeJS.ErrnoException) => {
    process.exit(error.code === 'EPIPE' ? exitCodes.done : exitCodes.failed);
  });

const exitCode = await runProgram({
  args: process.argv.slice(2),
  config: readConfig(),
  version: versionOfPackage(),
  stdin: { isTTY: process.stdin.isTTY === true, readAll: () => text(process.stdin) },
  stdout: process.stdout,
  stderr: process.stderr,
  signal: stopped.signal,
  allowGrace: (ms) => void (graceMs = ms),
});
process.exitCode = ended ?? exitCode;

function versionOfPackage(): string {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return (JSON.parse(manifest) as { version: string }).version;
}
