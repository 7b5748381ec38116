import type { Log } from '../logs/log.ts';

/**
 * Runs `run` now, and again `periodMs` after each end, until stopped. A failure does not stop later runs. The log names
 * the task once when it begins to fail, and once when it succeeds again.
 */
export function every(
  task: string,
  periodMs: number,
  run: () => Promise<void>,
  log: Log,
): { close(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let isFailing = false;
  let stopped = false;
  let running = once();

  function again(): void {
    running = once();
  }

  async function once(): Promise<void> {
    try {
      await run();
      if (isFailing) log.tell('periodic-task-succeeds', { task });
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.tell('periodic-task-failed', { err: error, task });
      isFailing = true;
    }
    if (!stopped) timer = setTimeout(again, periodMs);
  }

  return {
    async close() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
