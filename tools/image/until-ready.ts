import type { ChildProcess } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';

const readyWithinMs = 60_000;

/** Waits until `url` is answered with 200. Throws if the process ends before, or if it takes more than a minute. */
export async function untilReady(child: ChildProcess, url: string): Promise<void> {
  const command = child.spawnargs.join(' ');
  for (const deadline = performance.now() + readyWithinMs; performance.now() < deadline; await delay(50)) {
    if (child.exitCode !== null) throw new Error(`${command} ended with ${child.exitCode}`);
    const answer = await fetch(url).catch(() => null);
    if (answer?.status === 200) return;
  }
  throw new Error(`${command} was not ready within ${readyWithinMs / 1000} s`);
}
