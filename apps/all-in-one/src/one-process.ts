import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { ProcessName } from '@notify/core';
import { endWithParent, memoryEnvironment, memoryFlags, shutdownMs } from '@notify/runtime';
import type { Output } from './output.ts';

/** How to run one process of the installation. */
export interface ProcessPlan {
  readonly name: ProcessName;
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
  /** Resolves when the process is ready. Rejects if it will not become ready, or is stopped before. */
  readonly ready: Promise<void>;
  /** Sends SIGTERM, and SIGKILL if that takes too long. Resolves when the process has ended. */
  stop(): Promise<void>;
}

/**
 * How long a process may take to end before it is killed, in ms. A process that does not hang ends within `shutdownMs`.
 */
const graceMs = shutdownMs + 500;

/**
 * Starts a process, with these flags for Node besides its usual ones. It has its own session, so a Ctrl-C in the terminal
 * reaches only this process, which knows the order of stopping.
 */
export function spawnProcess(
  { name, main, env }: ProcessPlan,
  output: Output,
  flags: readonly string[] = [],
): ChildProcess {
  const child = fork(main, [], {
    env: { ...memoryEnvironment, ...env },
    execArgv: [...memoryFlags, '--import', endWithParent, ...flags],
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

/** Whether the URL answers 200 within 5 s. */
export async function answersOk(url: string, stopped: AbortSignal): Promise<boolean> {
  const signal = AbortSignal.any([stopped, AbortSignal.timeout(5_000)]);
  const answer = await fetch(url, { signal }).catch(() => null);
  await answer?.body?.cancel();
  return answer?.status === 200;
}

/** Sends SIGTERM, and SIGKILL if that takes too long. Resolves when the process has ended. */
export async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  const exit = once(child, 'exit');
  child.kill('SIGTERM');
  const kill = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await exit;
  clearTimeout(kill);
}

/** Whether the process has ended, by itself or by a signal. */
export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** How the process ended, in words. */
export function endOf(child: ChildProcess): string {
  return child.signalCode ?? `exit code ${child.exitCode}`;
}
