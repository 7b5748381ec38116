import { processOfHolder } from '@notify/db/connection';
import type { LeaseFacts, ProcessFacts } from '@notify/db/explanations';
import { processAliveSeconds } from '@notify/db/operations';
import { span, timeBeside } from './times.ts';

/** Work that has been due for longer than this, in ms, has not been taken for a reason. */
export const overdueMs = 5_000;

/** A lease is called orphaned after this long, in ms: six heartbeats, because a busy process may miss some. */
const orphanedAfterMs = 30_000;

/** Whether the process counts as running. */
export function isAlive({ seenAt }: ProcessFacts, now: Date): boolean {
  return now.getTime() - seenAt.getTime() < processAliveSeconds * 1_000;
}

/** The process of a lease. Null when it is not among those known. */
function holderOf({ holder }: LeaseFacts, processes: readonly ProcessFacts[]): ProcessFacts | null {
  const name = processOfHolder(holder);
  return processes.find(({ id }) => id.startsWith(name)) ?? null;
}

/** Who has a lease, and what follows when it ends. `afterwards` begins in lower case. */
export function leaseWords(
  lease: LeaseFacts,
  processes: readonly ProcessFacts[],
  now: Date,
  afterwards: string,
): string {
  const end = timeBeside(lease.until, now);
  const process = holderOf(lease, processes);
  if (process === null)
    return `The lease is held by a process that is not listed (${processOfHolder(lease.holder)}…): it has ended, or has just started. The lease ends ${end}; then ${afterwards}.`;
  const who = `The lease is held by ${nameOf(process)}`;
  if (!isOrphaned(lease, processes, now)) return `${who}, seen ${age(process, now)} ago. It ends ${end}.`;
  return `${who}. That process has ended or hangs: it was last seen ${age(process, now)} ago. The lease ends ${end}; then ${afterwards}.`;
}

/** Whether the process that has the lease was not seen for long, as far as that is known. */
export function isOrphaned(lease: LeaseFacts, processes: readonly ProcessFacts[], now: Date): boolean {
  const process = holderOf(lease, processes);
  return process !== null && now.getTime() - process.seenAt.getTime() >= orphanedAfterMs;
}

/** Which processes of a name could take a turn, in one sentence. */
export function takersWords(name: string, processes: readonly ProcessFacts[], now: Date): string {
  const named = processes.filter((process) => process.name === name);
  const alive = named.filter((process) => isAlive(process, now));
  if (alive.length > 0)
    return `Running: ${alive.map((process) => `${nameOf(process)}, seen ${age(process, now)} ago`).join('; ')}.`;
  const [last] = named;
  return last === undefined
    ? `No ${name} has been seen within the last hour.`
    : `No ${name} is running: the last one, ${nameOf(last)}, was seen ${age(last, now)} ago.`;
}

/** Whether a process of this name is running. */
export function isRunning(name: string, processes: readonly ProcessFacts[], now: Date): boolean {
  return processes.some((process) => process.name === name && isAlive(process, now));
}

function nameOf({ name, host, pid }: ProcessFacts): string {
  return `${name} on ${host} (pid ${pid})`;
}

function age({ seenAt }: ProcessFacts, now: Date): string {
  return span(Math.max(0, now.getTime() - seenAt.getTime()));
}
