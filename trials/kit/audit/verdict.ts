import { setTimeout as wait } from 'node:timers/promises';
import { type Audit, audit } from './audit.ts';
import { collect } from './collect.ts';
import type { Finding } from './finding.ts';
import type { Phase } from '../faults/phase.ts';
import { untilQuiet, type Waiting } from '../system/quiet.ts';
import type { System } from '../system/system.ts';

const shownFindings = 40;
/** Wait before findings are checked again. */
const againAfterMs = 2_000;

/**
 * A provider may still report on a message after all came to rest, and the audit then sees a state half way. So
 * findings are checked again, and count only if they are still there.
 */
export async function judge(
  system: System<unknown>,
  phase: Pick<Phase, 'sends' | 'arrivals' | 'prefix'> & Partial<Pick<Phase, 'verified' | 'groups'>>,
): Promise<Audit> {
  for (let looksLeft = 3; ; looksLeft -= 1) {
    const judged = audit(await collect(system, phase));
    if (judged.findings.length === 0 || looksLeft === 0) return judged;
    await wait(againAfterMs);
    await untilQuiet(system);
  }
}

/** Work that was left after `what` when the time for recovery was over, whatever the messages say of themselves. */
export function whatIsLeft(
  what: string,
  { messages, groups, deliveries, receipts, updates }: Waiting,
): string[] {
  if (messages + groups + deliveries + receipts + updates === 0) return [];
  return [
    `STUCK after ${what}: ${messages} due messages, ${groups} groups, ${deliveries} due deliveries, ${receipts} receipts and ${updates} updates were left`,
  ];
}

/** No fault may end a process. */
export function crashesOf({ processes, postgresCrashes }: System<unknown>): string[] {
  const crashed = processes.filter(({ crashes }) => crashes.length > 0);
  return [
    ...crashed.map(({ name, crashes }) => `CRASHED: ${name} ended by itself: ${crashes.join(', ')}`),
    ...postgresCrashes.map((line) => `CRASHED: Postgres: ${line}`),
  ];
}

/** Prints a bounded list of findings, each with the fault under which it was found. */
export function printFindings(findings: readonly (Finding & { readonly fault: string })[]): void {
  for (const { fault, verdict, key, detail } of findings.slice(0, shownFindings))
    console.log(`${verdict.toUpperCase()} [${fault}] ${key}: ${detail}`);
  if (findings.length > shownFindings) console.log(`… and ${findings.length - shownFindings} findings more`);
}
