import { endWithNpm, startOwnPostgres } from '@notify/testkit';
import { sql } from 'kysely';
import { dice } from '../kit/dice.ts';
import type { Fault } from '../kit/faults/fault.ts';
import { list, type Options, readOptions, usage } from './options.ts';
import { type Phase, runPhase } from '../kit/faults/phase.ts';
import { interruption, runProgram } from '../kit/program.ts';
import { recoveryMs, untilQuiet } from '../kit/system/quiet.ts';
import { others, progress, type Row, table } from '../kit/audit/report.ts';
import { keepMetrics } from '../kit/leaks/keep-metrics.ts';
import { findPrivate, privateContents, type Shown } from '../kit/leaks/private-contents.ts';
import { findLeaks, type Leak } from '../kit/leaks/secrets-in-logs.ts';
import { startSystem, type System } from '../kit/system/system.ts';
import { crashesOf, judge, printFindings, whatIsLeft } from '../kit/audit/verdict.ts';

/*
 * `npm run chaos` runs the whole service as separate processes under load, and breaks one thing after the other.
 * Then it compares, message by message, what clients were answered with our rows and with the ledgers of providers
 * and receiver. It prints a table, with the totals in the last line. It exits with 1 when anything was lost, stuck,
 * missing or wrongly repeated, when a process crashed, or when a log,
 * a metric or a span holds a secret, a text or a number.
 */

const shownFindings = 40;

/** Resolves with true when nothing was found. When interrupted it throws, and leaves no process behind. */
async function run(options: Options): Promise<boolean> {
  endWithNpm();
  console.log(`seed ${options.seed}`);
  const system = await startSystem(startOwnPostgres, { queueIn: options.queueIn });
  if (options.keepLogs) console.log(`logs: ${system.logFolder}`);
  try {
    await takePacks(system);
    return await Promise.race([breakAndAudit(system, options), interruption()]);
  } finally {
    await system.stop();
    if (!options.keepLogs) await system.removeLogs();
  }
}

/** Two of the webhooks get their events in packs, the others one by one. */
async function takePacks({ db }: System): Promise<void> {
  await sql`
    update webhooks set pack_max_events = 20, pack_max_wait_ms = 100
    where url like '%/once' or url like '%/twilio'`.execute(db);
}

async function breakAndAudit(system: System, options: Options): Promise<boolean> {
  const { phases, complaints } = await runPhases(system, options);
  const rows = await rowsOf(system, phases);
  if (options.isTimed)
    complaints.push(...rows.flatMap(({ recoveryMs: ms }, index) => late(options.faults[index]!, ms)));
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
  printFindings(rows.flatMap(({ fault, audit: { findings } }) => findings.map((one) => ({ fault, ...one }))));
  printLeaks(system, leaks);
  printShown(shown, contents.length);
  for (const line of complaints) console.log(line);
  console.log(others(rows));
  console.log(table(rows));
  const good = rows.every(({ audit: { findings } }) => findings.length === 0);
  return good && leaks.length + shown.length === 0 && complaints.length === 0;
}

function late({ name, backWithinMs = Infinity }: Fault, tookMs: number): string[] {
  if (tookMs <= backWithinMs) return [];
  return [`LATE: after ${name}, the last message or event came ${Math.round(tookMs)} ms later`];
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
    complaints.push(...whatIsLeft(phase.fault, await untilQuiet(system)));
    for (const row of await rowsOf(system, [phase])) console.log(progress(row));
  }
  return { phases, complaints };
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

function printLeaks(system: System, leaks: readonly Leak[]): void {
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

await runProgram({ usage, readOptions, list, run });
