import { readdirSync, readFileSync } from 'node:fs';

/** CPU and memory of a process with its descendants. */
export interface Usage {
  /** User and system time, in ms. */
  readonly cpuMs: number;
  /** Resident memory of the largest process, in MB. */
  readonly rssMb: number;
}

/** Clock ticks of /proc are hundredths of a second on every Linux that Node runs on (proc(5), USER_HZ). */
const tickMs = 10;

interface Stat {
  readonly pid: number;
  readonly parent: number;
  readonly ownTicks: number;
  /** CPU of children that have ended and were waited for. */
  readonly pastTicks: number;
  readonly rssPages: number;
}

/** Usage so far of the process trees below `roots`, ended processes included. */
export function usageOf(roots: readonly number[]): Usage {
  const all = readAll();
  let ticks = 0;
  let pages = 0;
  const visit = (pid: number): void => {
    const stat = all.get(pid);
    if (stat === undefined) return;
    ticks += stat.ownTicks + stat.pastTicks;
    pages = Math.max(pages, stat.rssPages);
    for (const child of all.values()) if (child.parent === pid) visit(child.pid);
  };
  roots.forEach(visit);
  return { cpuMs: ticks * tickMs, rssMb: (pages * 4096) / 1_048_576 };
}

function readAll(): Map<number, Stat> {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return new Map(pids.flatMap((pid) => readStat(Number(pid))).map((stat) => [stat.pid, stat]));
}

/** proc_pid_stat(5); the second field is the name in brackets and may hold anything. */
function readStat(pid: number): Stat[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const field = text
      .slice(text.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0] = field.slice(1);
    const [user = 0, system = 0, pastUser = 0, pastSystem = 0] = field.slice(11);
    return [
      { pid, parent, ownTicks: user + system, pastTicks: pastUser + pastSystem, rssPages: field[21] ?? 0 },
    ];
  } catch {
    return []; // it has ended
  }
}

/** The busy share of all processors between two calls of `machine()`, from 0 to 1. */
export function busyShare(before: MachineTime, after: MachineTime): number {
  return 1 - (after.idle - before.idle) / (after.total - before.total);
}

export interface MachineTime {
  readonly idle: number;
  readonly total: number;
}

/** Processor time since the machine started, in ticks. */
export function machine(): MachineTime {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n');
  const ticks = line.split(/\s+/).slice(1, 9).map(Number);
  return { idle: ticks[3]! + ticks[4]!, total: ticks.reduce((sum, one) => sum + one, 0) };
}
