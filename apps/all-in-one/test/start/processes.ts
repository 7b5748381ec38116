import type { ListedProcess } from '@notify/testkit';

/** Resolves when none of these is alive any more. */
export async function untilGone(processes: readonly ListedProcess[]): Promise<void> {
  while (processes.some(isAlive)) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Whether a process is there, as a zombie too. */
export function isAlive({ pid }: ListedProcess): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
