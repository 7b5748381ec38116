import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** A process and what it was started as. A process may change that. */
export interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  /** Its words, with spaces between them. Empty for a zombie. */
  readonly command: string;
}

/** Every process of the machine, from `/proc`, or from `ps` where there is no `/proc`. */
export function listProcesses(): ListedProcess[] {
  if (!existsSync('/proc/self/stat')) return listedByPs();
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap(processOf);
}

/** Every process that descends from this one, itself not included. */
export function descendantsOf(pid: number, all: readonly ListedProcess[] = listProcesses()): ListedProcess[] {
  return all
    .filter(({ parent }) => parent === pid)
    .flatMap((child) => [child, ...descendantsOf(child.pid, all)]);
}

/** Empty if it has ended meanwhile. See `man 5 proc_pid_stat`: the name in brackets may contain brackets. */
function processOf(pid: string): ListedProcess[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const [, parent] = stat.slice(stat.lastIndexOf(') ') + 2).split(' ');
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return [{ pid: Number(pid), parent: Number(parent), command: words.replaceAll('\0', ' ').trim() }];
  } catch {
    return [];
  }
}

function listedByPs(): ListedProcess[] {
  const args = ['-A', '-ww', '-o', 'pid=,ppid=,args='];
  const listed = execFileSync('ps', args, { encoding: 'utf8', maxBuffer: 2 ** 26 });
  return Array.from(listed.matchAll(/^ *(\d+) +(\d+) +(.*)$/gm), ([, pid, parent, command = '']) => ({
    pid: Number(pid),
    parent: Number(parent),
    command,
  }));
}
