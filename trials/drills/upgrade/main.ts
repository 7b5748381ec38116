import { setTimeout as wait } from 'node:timers/promises';
import { endWithNpm, openTestDb, type ProcessName, startOwnPostgres } from '@notify/testkit';
import { sql } from 'kysely';
import { callbacks, updates } from '../../kit/load/arrival-ways.ts';
import { type Arrival, startArrivals } from '../../kit/load/arrivals.ts';
import type { Send } from '../../kit/load/client.ts';
import { dice } from '../../kit/dice.ts';
import { startLoad } from '../../kit/load/load.ts';
import { interruption, runProgram } from '../../kit/program.ts';
import { untilQuiet } from '../../kit/system/quiet.ts';
import { table } from '../../kit/audit/report.ts';
import { startSystem, type System } from '../../kit/system/system.ts';
import { crashesOf, judge, printFindings, whatIsLeft } from '../../kit/audit/verdict.ts';
import { readOptions, type UpgradeOptions, usage } from './options.ts';
import { checkOut, previousCommit } from './previous.ts';
import { createTimings, type Timings, timesTable } from './timings.ts';
import { contractSuite, migrateFurther, migrateWith, root } from './trees.ts';

/*
 * `npm run upgrade-drill` starts the processes of the previous version under load. It migrates the database while another
 * session holds a lock on `messages`, replaces one process after the other by this tree's, and goes back by one version.
 * Then the audit of chaos compares, message by message, what clients were answered with our rows and with the ledgers of
 * providers and receiver. It exits with 1 when anything was lost, stuck or wrongly repeated, when a process crashed, when
 * sends were slow while migrations ran, or when the contract suite of a version fails.
 */

/** The bound of p99 of sends while migrations run and another session holds a lock on `messages`, in ms. */
const migrateP99Ms = 250;
const migrating = 'migrate while messages is locked';
const prefix = 'upgrade';
/** Messages that persons write for each one that is sent. */
const arrivalsPerMessage = 0.3;

async function run(options: UpgradeOptions): Promise<boolean> {
  endWithNpm();
  const commit = options.previous ?? (await previousCommit());
  console.log(`seed ${options.seed}, from ${commit} to this tree, ${options.messagesPerSecond} messages/s`);
  await using previous = await checkOut(commit);
  const system = await startSystem(startOwnPostgres, {
    tree: previous.root,
    prepare: (stores) => migrateWith(previous.root, stores),
  });
  if (options.keepLogs) console.log(`logs: ${system.logFolder}`);
  try {
    const isGood = await Promise.race([drill(system, previous.root, options), interruption()]);
    await system.stop();
    return (await areContractsKept(previous.root, options)) && isGood;
  } finally {
    await system.stop();
    if (!options.keepLogs) await system.removeLogs();
  }
}

async function areContractsKept(previous: string, { contract }: UpgradeOptions): Promise<boolean> {
  if (!contract) console.log('the contract suites of both versions were left out');
  const complaints = contract ? await bothContractSuites(previous) : [];
  for (const line of complaints) console.log(line);
  return complaints.length === 0;
}

async function drill(system: System, previous: string, options: UpgradeOptions): Promise<boolean> {
  const timings = createTimings();
  const traffic = startTraffic(system, timings, options);
  const complaints: string[] = [];
  const phases: readonly (readonly [string, () => Promise<unknown>])[] = [
    ['previous version', () => wait(options.soakMs)],
    [migrating, async () => complaints.push(...(await migrateWhileLocked(system, options.lockMs)))],
    ['roll forwards', () => roll(system, ['dispatch-worker', 'webhook-worker', 'api'], root)],
    ['this version', () => wait(options.soakMs)],
    ['roll back', () => roll(system, ['api', 'dispatch-worker', 'webhook-worker'], previous)],
    ['previous version on the new schema', () => wait(options.soakMs)],
  ];
  for (const [phase, work] of phases) {
    console.log(phase);
    timings.begin(phase);
    await work();
  }
  const { sends, arrivals } = await traffic.stop();
  complaints.push(...whatIsLeft('the drill', await untilQuiet(system)), ...crashesOf(system));
  const verdict = await judge(system, { sends, arrivals, prefix });
  printFindings(verdict.findings.map((one) => ({ fault: 'upgrade', ...one })));
  const times = timings.read();
  const { sends: timed = 0, p99 = 0 } = times.find(({ phase }) => phase === migrating) ?? {};
  if (timed === 0 || p99 >= migrateP99Ms)
    complaints.push(
      `SLOW: p99 of ${timed} sends was ${Math.round(p99)} ms while migrations ran, not below ${migrateP99Ms} ms`,
    );
  for (const line of complaints) console.log(line);
  console.log(timesTable(times));
  console.log(table([{ fault: 'upgrade', audit: verdict, recoveryMs: 0 }]));
  return verdict.findings.length + complaints.length === 0;
}

interface Traffic {
  stop(): Promise<{ readonly sends: readonly Send[]; readonly arrivals: readonly Arrival[] }>;
}

/** Sends, callbacks and updates, until it is stopped. */
function startTraffic(
  system: System,
  timings: Timings,
  { messagesPerSecond, seed }: UpgradeOptions,
): Traffic {
  const thrown = dice(seed);
  const apiUrls = system.of('api').map(({ url }) => url);
  const load = startLoad({
    tenants: system.tenants,
    apiUrls,
    messagesPerSecond,
    messagesAtRate: Infinity,
    prefix,
    dice: thrown.fork(),
    schedules: false,
    labels: false,
    onAnswered: (tookMs) => timings.answered(tookMs),
  });
  const arriving = startArrivals({
    ways: [...system.tenants.flatMap((tenant) => callbacks(tenant, apiUrls)), updates(system.telegram)],
    prefix,
    perSecond: arrivalsPerMessage * messagesPerSecond,
    dice: thrown.fork(),
  });
  return {
    async stop() {
      const arrivals = await arriving.stop();
      return { sends: await load.stop(), arrivals };
    },
  };
}

/**
 * A session uses `messages` in an open transaction, as a long query does, until `lockMs` after a migration has met that.
 * Returns what was not as planned.
 */
async function migrateWhileLocked({ postgres }: System, lockMs: number): Promise<string[]> {
  const db = openTestDb(postgres.url, {
    applicationName: 'long-query',
    maxConnections: 1,
  });
  const holder = await db.startTransaction().execute();
  let released: Promise<unknown> | null = null;
  try {
    await sql`lock table messages in access share mode`.execute(holder);
    await migrateFurther(postgres.url, () => {
      released ??= wait(lockMs).then(() => holder.commit().execute());
    });
    return released === null ? ['NOT LOCKED: no migration waited for the session that held messages'] : [];
  } finally {
    await (released ?? holder.rollback().execute());
    await db.destroy();
  }
}

/** Replaces the processes of these kinds, one after the other, each when the one before is ready. */
async function roll(system: System, kinds: readonly ProcessName[], tree: string): Promise<void> {
  for (const one of kinds.flatMap((kind) => system.of(kind))) await one.rollTo(tree);
}

/** Each version's suite against its own processes, on the new schema. Returns what failed. */
async function bothContractSuites(previous: string): Promise<string[]> {
  const complaints: string[] = [];
  const postgres = await startOwnPostgres();
  const { url } = postgres;
  try {
    await migrateWith(previous, { databaseUrl: url, redisUrl: null });
    await migrateFurther(url);
    for (const [version, tree] of [
      ['this version', root],
      ['the previous version', previous],
    ] as const) {
      console.log(`contract suite of ${version} on the new schema`);
      await contractSuite(tree, url).catch((error: unknown) => {
        complaints.push(`CONTRACT of ${version}: ${String(error)}`);
      });
    }
  } finally {
    await postgres.remove();
  }
  return complaints;
}

await runProgram({ usage, readOptions, run });
