import { setTimeout as wait } from 'node:timers/promises';
import { type ArchivedPostgres, endWithNpm, startArchivedPostgres } from '@notify/testkit';
import { type Arrivals, startArrivals } from '../../kit/load/arrivals.ts';
import { callbacks } from '../../kit/load/arrival-ways.ts';
import { type Audit, audit } from '../../kit/audit/audit.ts';
import { collect } from '../../kit/audit/collect.ts';
import { dice } from '../../kit/dice.ts';
import { type Load, startLoad } from '../../kit/load/load.ts';
import { interruption, runProgram } from '../../kit/program.ts';
import { untilQuiet } from '../../kit/system/quiet.ts';
import { found } from '../../kit/audit/report.ts';
import { startSystem, type System } from '../../kit/system/system.ts';
import { crashesOf, printFindings, whatIsLeft } from '../../kit/audit/verdict.ts';
import { type Ledgers, type Lost, type LostTime, readLedgers, withoutLostTime } from './lost-time.ts';
import { type Operator, operatorOf } from './operator.ts';
import { readOptions, type RestoreOptions, usage } from './options.ts';

/*
 * `npm run restore-drill` runs the whole service as separate processes under load, on a Postgres that archives its WAL.
 * It makes a base backup, marks a restore point, and ends everything at once while the load goes on. Then it does what
 * docs/backups.md says, on a new cluster: restore to the point, verify-backup, after-restore --hold, start, release-sends.
 * The audit of chaos judges, message by message. What happened after the restore point is lost by design, and counted.
 * It exits with 1 when anything else was lost, stuck, missing or repeated without a mark.
 */

const prefix = 'r';
const point = 'drill';
/** Messages that persons write for each one that is sent. */
const arrivalsPerMessage = 0.3;
/** Wait before findings are checked again: a provider may still report. */
const againAfterMs = 2_000;

type Drilled = System<ArchivedPostgres>;

async function run(options: RestoreOptions): Promise<boolean> {
  endWithNpm();
  console.log(`seed ${options.seed}`);
  const system = await startSystem(startArchivedPostgres);
  try {
    return await Promise.race([drill(system, options), interruption()]);
  } finally {
    await system.stop();
    await system.removeLogs();
  }
}

async function drill(system: Drilled, options: RestoreOptions): Promise<boolean> {
  const complaints: string[] = [];
  const operator = operatorOf(system);
  const [load, arriving] = begin(system, options);
  try {
    await wait(options.beforeMs / 2);
    await timed('base backup under load', () => system.postgres.backUp());
    await wait(options.beforeMs / 2);
    const lostTime = await loseEverything(system, options.lostMs);
    await timed('point-in-time recovery into a new cluster', () => system.postgres.restore(point));
    await putIntoOperation(operator);
    complaints.push(...(await startHeld(system, options.heldMs)));
    await timed('release-sends', () => operator.run('release-sends'));
    await wait(options.afterMs);
    const [sends, arrivals] = [await load.stop(), await arriving.stop()];
    complaints.push(...whatIsLeft('the restore', await untilQuiet(system)), ...crashesOf(system));
    const judge = async (): Promise<{ audit: Audit; lost: Lost }> => {
      const collected = await collect(system, { sends, arrivals, prefix });
      const { evidence, lost } = withoutLostTime(collected, sends, arrivals, lostTime);
      return { audit: audit(evidence), lost };
    };
    let judged = await judge();
    if (judged.audit.findings.length > 0) {
      await wait(againAfterMs);
      judged = await judge();
    }
    return report(judged, complaints);
  } finally {
    await Promise.all([load.stop(), arriving.stop()]);
  }
}

function begin(system: Drilled, { seed, messagesPerSecond }: RestoreOptions): [Load, Arrivals] {
  const thrown = dice(seed);
  const apiUrls = system.of('api').map(({ url }) => url);
  const load = startLoad({
    tenants: system.tenants,
    apiUrls,
    prefix,
    messagesPerSecond,
    messagesAtRate: Infinity,
    schedules: false,
    dice: thrown.fork(),
  });
  const arriving = startArrivals({
    ways: system.tenants.flatMap((tenant) => callbacks(tenant, apiUrls)),
    prefix,
    perSecond: arrivalsPerMessage * messagesPerSecond,
    dice: thrown.fork(),
  });
  return [load, arriving];
}

/** Marks the restore point, lets the lost time pass, and ends Postgres, Redis and all processes at once. */
async function loseEverything(system: Drilled, lostMs: number): Promise<LostTime> {
  const before = await readLedgers(system);
  const fromMs = performance.now();
  await timed('restore point, and its WAL archived', () => system.postgres.markPoint(point));
  await wait(lostMs);
  await Promise.all([
    ...system.processes.map((one) => one.halt()),
    system.postgres.stop('killed'),
    system.redis.stop('SIGKILL'),
  ]);
  return { fromMs, before, atEnd: await readLedgers(system) };
}

/** What an operator does before the processes start. */
async function putIntoOperation(operator: Operator): Promise<void> {
  console.log(await timed('verify-backup', () => operator.run('verify-backup')));
  await timed('migrate', () => operator.run('migrate'));
  console.log(await timed('after-restore --hold', () => operator.run('after-restore', '--hold')));
}

/** Starts Redis, empty, and the processes. While sends are held, nothing may leave. */
async function startHeld(system: Drilled, heldMs: number): Promise<string[]> {
  const held = await readLedgers(system);
  await system.redis.start({ empty: true });
  await timed('all processes ready', async () => {
    for (const one of system.processes) one.resume();
    await Promise.all(system.processes.map((one) => one.ready()));
  });
  await wait(heldMs);
  const left = leftBetween(held, await readLedgers(system));
  return left === 0 ? [] : [`NOT HELD: ${left} messages or events left while sends were held`];
}

function leftBetween(one: Ledgers, other: Ledgers): number {
  const sum = ({ taken, posts }: Ledgers): number =>
    [...taken.values()].reduce((all, times) => all + times, posts);
  return sum(other) - sum(one);
}

function report(
  { audit: judged, lost }: { audit: Audit; lost: Lost },
  complaints: readonly string[],
): boolean {
  printFindings(judged.findings.map((one) => ({ fault: 'restore', ...one })));
  for (const line of complaints) console.log(line);
  const verdicts = (['lost', 'duplicated', 'stuck', 'missing', 'wrong'] as const).map(
    (verdict) => `${verdict} ${found(judged, verdict)}`,
  );
  console.log(`
of the restored state and after it
  accepted ${judged.accepted}, sent ${judged.sent}, received ${judged.received}
  repeated and marked ${judged.repeated}, failed by design ${judged.failedByDesign} (undeliverable, or at-most-once and unknown)
lost by design, after the restore point
  answered with 202: ${lost.accepted}; of all without a row, sent: ${lost.sent}; sent again for a client that asked again: ${lost.sentAgain}
  received ${lost.received}, delivery reports ${lost.reports}, events that a receiver has and that exist no more ${lost.events}
findings
  ${verdicts.join(', ')}, others ${complaints.length}`);
  return judged.findings.length === 0 && complaints.length === 0 && lost.accepted > 0 && judged.repeated > 0;
}

async function timed<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  const began = performance.now();
  const result = await work();
  console.log(`${what}: ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  return result;
}

await runProgram({ usage, readOptions, run });
