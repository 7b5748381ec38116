import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { memoryEnvironment, memoryFlags } from '@notify/runtime';
import type { Output } from './output.ts';

/** How to run one process of the installation. */
export interface ProcessPlan {
  readonly name: string;
  /** The file to run. */
  readonly main: string;
  readonly env: NodeJS.ProcessEnv;
  /** Answers 200 once the process can work. */
  readonly readyUrl: string;
}

/** What the start of all processes gives each of them. */
export interface Watch {
  /** Where the lines of the process and its restarts are written. */
  readonly output: Output;
  /** Ends the wait for readiness early. */
  readonly interrupted: AbortSignal;
}

/** A process that is restarted until it is stopped. */
export interface KeptProcess {
  /** Resolves when the process is ready. Rejects if it ends before, is stopped, or is not ready within a minute. */
  readonly ready: Promise<void>;
  /** Sends SIGTERM, and SIGKILL after `graceMs`. Resolves when the process has ended. */
  stop(graceMs: number): Promise<void>;
}

/** The module beside this one, `.ts` in the repository and `.js` in the package. */
const endWithParent = new URL(`end-with-parent${path.extname(import.meta.url)}`, import.meta.url).href;
const readyWithinMs = 60_000;
const firstWaitMs = 500;
const longestWaitMs = 30_000;

/**
 * Runs a process. Once it has been ready, restarts it whenever it ends, with longer waits if it keeps ending. It has
 * its own session, so a Ctrl-C in the terminal reaches only this process, which knows the order of stopping.
 */
export function keepRunning(plan: ProcessPlan, watch: Watch): KeptProcess {
  const stopped = new AbortController();
  let child = spawnProcess(plan, watch);
  const ready = untilReady(plan, child, AbortSignal.any([stopped.signal, watch.interrupted]));
  const kept = ready.then(keep, () => undefined);

  async function keep(): Promise<void> {
    let waitMs = firstWaitMs;
    while (!stopped.signal.aborted) {
      const beganAt = performance.now();
      if (!hasEnded(child)) await once(child, 'exit');
      if (stopped.signal.aborted) return;
      waitMs = performance.now() - beganAt > longestWaitMs ? firstWaitMs : waitMs;
      watch.output.say(
        `${plan.name} ended unexpectedly (${endOf(child)}); restarting it in ${waitMs / 1000} s`,
      );
      await delay(waitMs, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (stopped.signal.aborted) return;
      waitMs = Math.min(waitMs * 2, longestWaitMs);
      child = spawnProcess(plan, watch);
    }
  }

  return {
    ready,
    async stop(graceMs) {
      stopped.abort();
      await end(child, graceMs);
      await kept;
    },
  };
}

function spawnProcess({ name, main, env }: ProcessPlan, { output }: Watch): ChildProcess {
  const child = fork(main, [], {
    env: { ...memoryEnvironment, ...env },
    execArgv: [...memoryFlags, '--import', endWithParent],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
  });
  // A program that cannot be run never exits. One that runs and fails is reported by its exit.
  child.on('error', (error) => output.onLine(name, error.message));
  for (const input of [child.stdout, child.stderr]) {
    if (input !== null) createInterface({ input }).on('line', (line) => output.onLine(name, line));
  }
  return child;
}

async function untilReady(
  { name, readyUrl }: ProcessPlan,
  child: ChildProcess,
  stopped: AbortSignal,
): Promise<void> {
  for (const deadline = performance.now() + readyWithinMs; performance.now() < deadline;) {
    stopped.throwIfAborted();
    if (hasEnded(child))
      throw new Error(`${name} ended before it was ready (${endOf(child)}): see its log above`);
    if (await answersOk(readyUrl, stopped)) return;
    await delay(50);
  }
  throw new Error(`${name} was not ready within ${readyWithinMs / 1000} s: see its log above`);
}

async function answersOk(url: string, stopped: AbortSignal): Promise<boolean> {
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(5_000)]);
  const answer = await fetch(url, { signal }).catch(() => null);
  await answer?.body?.cancel();
  return answer?.status === 200;
}

async function end(child: ChildProcess, graceMs: number): Promise<void> {
  if (hasEnded(child)) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const kill = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await exit;
  clearTimeout(kill);
}

function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

function endOf(child: ChildProcess): string {
  return child.signalCode ?? `exit code ${child.exitCode}`;
}
