import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  answersOk,
  end,
  endOf,
  hasEnded,
  type KeptProcess,
  type ProcessPlan,
  spawnProcess,
  type Watch,
} from './one-process.ts';

const readyWithinMs = 60_000;
const firstWaitMs = 500;
const longestWaitMs = 30_000;

/**
 * Runs a process. Once it has been ready, restarts it whenever it ends, with longer waits if it keeps ending. `ready`
 * rejects if it ends before, or is not ready within a minute.
 */
export function keepRunning(plan: ProcessPlan, { output, interrupted }: Watch): KeptProcess {
  const stopped = new AbortController();
  let child = spawnProcess(plan, output);
  const ready = untilReady(plan, child, AbortSignal.any([stopped.signal, interrupted]));
  const kept = ready.then(keep, () => undefined);

  async function keep(): Promise<void> {
    let waitMs = firstWaitMs;
    while (!stopped.signal.aborted) {
      const beganAt = performance.now();
      if (!hasEnded(child)) await once(child, 'exit');
      if (stopped.signal.aborted) return;
      waitMs = performance.now() - beganAt > longestWaitMs ? firstWaitMs : waitMs;
      output.say(`${plan.name} ended unexpectedly (${endOf(child)}); restarting it in ${waitMs / 1000} s`);
      await delay(waitMs, undefined, { signal: stopped.signal }).catch(() => undefined);
      if (stopped.signal.aborted) return;
      waitMs = Math.min(waitMs * 2, longestWaitMs);
      child = spawnProcess(plan, output);
    }
  }

  return {
    ready,
    async stop() {
      stopped.abort();
      await end(child);
      await kept;
    },
  };
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
