import type { Log } from './log.ts';

/**
 * Runs `task` now, and again `periodMs` after each end, until stopped. A failure is logged and does not stop later
 * runs.
 */
export function every(periodMs: number, task: () => Promise<void>, log: Log): { close(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let running = run();

  function again(): void {
    running = run();
  }

  async function run(): Promise<void> {
    try {
      await task();
    } catch (error) {
      log.warn({ err: error }, 'periodic task failed; it will be tried again');
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
