import { setTimeout as wait } from 'node:timers/promises';
import { endWithNpm } from '@notify/testkit';
import { type Audit, audit } from './audit.ts';
import { collect } from './collect.ts';
import { dice } from './dice.ts';
import type { Finding } from './finding.ts';
import { type Options, readOptions, usage } from './options.ts';
import { type Phase, runPhase } from './phase.ts';
import { recoveryMs, untilQuiet, type Waiting } from './quiet.ts';
import { progress, type Row, table } from './report.ts';
import { keepMetrics } from './keep-metrics.ts';
import { findPrivate, privateContents, type Shown } from './private-contents.ts';
import { findLeaks, type Leak } from './secrets-in-logs.ts';
import { startSystem, type System } from './system.ts';

/*
 * `npm run chaos` runs the whole service as separate processes under load, and breaks one thing after the other.
 * Then it compares, message by message, what clients were answered with our rows and with the ledgers of providers
 * and receiver. It prints a table, with the totals in the last line. It exits with 1 when anything was lost, stuck,
 * missing or wrongly repeated, when a process crashed, or when a log,
 * a metric or a span holds a secret, a text or a number.
 */

const shownFindings = 40;
/** Wait before findings are checked again. */
const againAfterMs = 2_000;

/** Resolves with true when nothing was found. When interrupted it throws, and leaves no process behind. */
async function run(options: Options): Promise<boolean> {
  endWithNpm();
  console.log(`seed ${options.seed}`);
  const system = await startSystem();
  if (options.keepLogs) console.log(`logs: ${system.logFolder}`);
  try {
    return await Promise.race([breakAndAudit(system, options), interruption()]);
  } finally {
    await system.stop();
    if (!options.keepLogs) await system.removeLogs();
  }
}

function interruption(): Promise<never> {
  return new Promise((_, reject) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.once(signal, () => reject(new Error(`ended by ${signal}`)));
  });
}

async function breakAndAudit(system: System, options: Options): Promise<boolean> {
  const { phases, complaints } = await runPhases(system, options);
  const rows = await rowsOf(system, phases);
  const contents = await privateContents(system.db);
  const answered = await keepMetrics(system.processes, system.logFolder);
  if (answered < system.processes.length)
    complaints.push(`METRICS: ${answered} of ${system.processes.length} processes answered at the end`);
  const { requests } = await system.collector.ask<{ readonly requests: number }>('kept');
  if (requests === 0) complaints.push('SPANS: no process sent any');
  await system.stop();
  const leaks = await findLeaks(system.logFolder, system.secrets);
  const shown = await findPrivate(system.logFolder, contents);
  complaints.push(...crashesOf(system));
  printFindings(system, rows, leaks);
  printShown(shown, contents.length);
  for (const line of complaints) console.log(line);
  console.log(table(rows));
  const good = rows.every(({ audit: { findings } }) => findings.length === 0);
  return good && leaks.length + shown.length === 0 && complaints.length === 0;
}

async function runPhases(
  system: System,
  options: Options,
): Promise<{ phases: Phase[]; complaints: string[] }> {
  const thrown = dice(options.seed);
  const phases: Phase[] = [];
  const complaints: string[] = [];
  for (const [index, fault] of options.faults.entries()) {
    const phase = await runPhase(system, fault, String(index + 1), options, thrown.fork());
    phases.push(phase);
    await keepMetrics(system.processes, system.logFolder);
    if (phase.failure !== null) complaints.push(`NOT BROKEN: ${fault.name}: ${phase.failure}`);
    if (!options.restsBetween && index + 1 < options.faults.length) continue;
    complaints.push(...whatIsLeft(phase, await untilQuiet(system)));
    for (const row of await rowsOf(system, [phase])) console.log(progress(row));
  }
  return { phases, complaints };
}

/** Work that was left when the time for recovery was over, whatever the messages say of themselves. */
function whatIsLeft({ fault }: Phase, { messages, deliveries, receipts, updates }: Waiting): string[] {
  if (messages + deliveries + receipts + updates === 0) return [];
  return [
    `STUCK after ${fault}: ${messages} due messages, ${deliveries} due deliveries, ${receipts} receipts and ${updates} updates were left`,
  ];
}

/** No fault may end a process. */
function crashesOf({ processes, postgresCrashes }: System): string[] {
  const crashed = processes.filter(({ crashes }) => crashes.length > 0);
  return [
    ...crashed.map(({ name, crashes }) => `CRASHED: ${name} ended by itself: ${crashes.join(', ')}`),
    ...postgresCrashes.map((line) => `CRASHED: Postgres: ${line}`),
  ];
}

/** Audits each phase with what is known now, because later phases can add to what is known of earlier ones. */
async function rowsOf(system: System, phases: readonly Phase[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const phase of phases) {
    const { fault, beganAt, faultEndedAt } = phase;
    const recovery = await recoveryMs(system.db, beganAt, faultEndedAt);
    rows.push({ fault, recoveryMs: recovery, audit: await judge(system, phase) });
  }
  return rows;
}

/**
 * A provider may still report on a message after all came to rest, and the audit then sees a state half way. So
 * findings are checked again, and count only if they are still there.
 */
async function judge(system: System, phase: Phase): Promise<Audit> {
  for (let looksLeft = 3; ; looksLeft -= 1) {
    const judged = audit(await collect(system, phase));
    if (judged.findings.length === 0 || looksLeft === 0) return judged;
    await wait(againAfterMs);
    await untilQuiet(system);
  }
}

function printFindings(system: System, rows: readonly Row[], leaks: readonly Leak[]): void {
  const findings = rows.flatMap(({ fault, audit: { findings: own } }) =>
    own.map((one) => ({ fault, ...one })),
  );
  findings.slice(0, shownFindings).forEach(printFinding);
  if (findings.length > shownFindings) console.log(`… and ${findings.length - shownFindings} findings more`);
  for (const { file, secret } of leaks) console.log(`SECRET in ${file}: ${secret}`);
  console.log(`${system.secrets.length} secrets searched for in the logs, ${leaks.length} found`);
}

function printShown(shown: readonly Shown[], searched: number): void {
  for (const { file, what } of shown.slice(0, shownFindings))
    console.log(`PRIVATE in ${file}: ${JSON.stringify(what)}`);
  console.log(
    `${searched} texts, numbers and names searched for in logs, metrics and spans, ${shown.length} found`,
  );
}

function printFinding({ fault, verdict, key, detail }: Finding & { readonly fault: string }): void {
  console.log(`${verdict.toUpperCase()} [${fault}] ${key}: ${detail}`);
}

const options = optionsOrText();
if (typeof options === 'string') console.log(options);
else process.exitCode = (await run(options)) ? 0 : 1;

function optionsOrText(): Options | string {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    console.error(`${String(error)}\n\n${usage}`);
    process.exit(2);
  }
}
