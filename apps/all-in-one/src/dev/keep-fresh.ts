import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import {
  answersOk,
  end,
  endOf,
  type KeptProcess,
  type ProcessPlan,
  spawnProcess,
  type Watch,
} from '../one-process.ts';
import { watchFiles } from './watch-files.ts';

/** The module beside this one. */
const reportModules = new URL(`report-modules${path.extname(import.meta.url)}`, import.meta.url).href;

/**
 * Runs a process with Node's inspector on a loopback port, and restarts it when a file that it loaded is saved. If it
 * ends by itself, such as by a syntax error, it starts again at the next save. `ready` waits that long, too.
 */
export function keepFresh(
  plan: ProcessPlan,
  { output, interrupted }: Watch,
  inspectPort: number,
): KeptProcess {
  // The port is told once, not by every start.
  const inspect = [`--inspect=127.0.0.1:${inspectPort}`, '--inspect-publish-uid=http'];
  const stopped = new AbortController();
  let restarting: Promise<void> | null = null;
  // Files of an earlier start stay, because a start that fails loads only some of them.
  const files = watchFiles((file) => {
    restarting ??= restart(file);
  });
  let child = start();
  output.say(`${plan.name}: its inspector listens on 127.0.0.1:${inspectPort}`);

  function start(): ChildProcess {
    const started = spawnProcess(plan, output, [...inspect, '--import', reportModules]);
    started.on('message', (message) => {
      if (!stopped.signal.aborted) files.add(fileURLToPath((message as { readonly loaded: string }).loaded));
    });
    started.once('exit', () => {
      if (restarting === null && !stopped.signal.aborted)
        output.say(`${plan.name} ended (${endOf(started)}); it starts again when one of its files is saved`);
    });
    return started;
  }

  /** Ends the process and starts it again. What is saved meanwhile is read by that start. */
  async function restart(file: string): Promise<void> {
    output.say(`${path.relative(process.cwd(), file)} was saved: restarting ${plan.name}`);
    await end(child);
    restarting = null;
    if (!stopped.signal.aborted) child = start();
  }

  return {
    ready: untilReady(plan.readyUrl, AbortSignal.any([stopped.signal, interrupted])),
    async stop() {
      stopped.abort();
      files.close();
      await restarting;
      await end(child);
    },
  };
}

async function untilReady(url: string, stopped: AbortSignal): Promise<void> {
  while (!(await answersOk(url, stopped))) {
    stopped.throwIfAborted();
    await delay(50);
  }
}
