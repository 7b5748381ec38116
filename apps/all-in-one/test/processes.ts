import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A process and what it was started as. */
export interface ListedProcess {
  readonly pid: number;
  readonly command: string;
}

/** Every process that descends from this one, itself not included. */
export async function descendantsOf(pid: number): Promise<ListedProcess[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=,command='], { maxBuffer: 1e8 });
  const all = Array.from(stdout.matchAll(/^ *(\d+) +(\d+) (.*)$/gm), ([, own, parent, command = '']) => ({
    pid: Number(own),
    parent: Number(parent),
    command,
  }));
  const below = (parent: number): ListedProcess[] =>
    all.filter((each) => each.parent === parent).flatMap((each) => [each, ...below(each.pid)]);
  return below(pid);
}

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
