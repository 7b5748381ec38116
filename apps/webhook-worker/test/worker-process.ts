import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

export interface WorkerProcess {
  readonly healthPort: number;
  /** Sends the signal and waits for the end; answers the exit code, null when a signal ended it. */
  end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
}

const main = path.resolve(import.meta.dirname, '../src/main.ts');

/** Starts the webhook worker as a process of its own, and waits until it takes turns. */
export async function startWorkerProcess(environment: Record<string, string>): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [main], {
    env: { PATH: process.env.PATH, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const healthPort = await untilReady(child);
  return {
    healthPort,
    async end(signal) {
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exited = once(child, 'exit');
      child.kill(signal);
      await exited;
      return child.exitCode;
    },
  };
}

async function untilReady(child: ChildProcess): Promise<number> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const entry = JSON.parse(line) as { msg?: string; healthPort?: number };
    if (entry.msg === 'taking turns') {
      child.stdout!.resume();
      return entry.healthPort!;
    }
  }
  throw new Error('the worker ended before it was ready');
}
