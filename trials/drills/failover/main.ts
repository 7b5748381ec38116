import { endWithNpm, type PostgresCluster, startPostgresCluster } from '@notify/testkit';
import { dice } from '../../kit/dice.ts';
import { interruption, runProgram } from '../../kit/program.ts';
import { untilQuiet } from '../../kit/system/quiet.ts';
import { findLeaks } from '../../kit/leaks/secrets-in-logs.ts';
import { startSystem, type System } from '../../kit/system/system.ts';
import { startTraffic } from '../../kit/load/traffic.ts';
import { crashesOf, judge, printFindings, whatIsLeft } from '../../kit/audit/verdict.ts';
import { list, type DrillOptions, readOptions, usage } from './options.ts';
import { startProbes } from './probe.ts';
import { boundMs, progress, summary, tooLate } from './report.ts';
import { type Round, runRound } from './round.ts';

/*
 * `npm run failover-drill` runs the whole service as separate processes under load, on a Postgres primary with a
 * synchronous standby. Again and again it ends the primary, promotes the standby, measures how soon sends are answered,
 * and makes the old primary a standby again. Then the audit of chaos judges every message. It exits with 1 when anything
 * was lost, stuck, missing or wrongly repeated, when sends were answered too late, when a process crashed, or when a log
 * holds a secret.
 */

/** Resolves with true when nothing was found. When interrupted it throws, and leaves no process behind. */
async function run(options: DrillOptions): Promise<boolean> {
  endWithNpm();
  console.log(`seed ${options.seed}`);
  const system = await startSystem((own) => startPostgresCluster(own));
  if (options.keepLogs) console.log(`logs: ${system.logFolder}`);
  try {
    return await Promise.race([drill(system, options), interruption()]);
  } finally {
    await system.stop();
    if (!options.keepLogs) await system.removeLogs();
  }
}

const prefix = 'drill';

async function drill(system: System<PostgresCluster>, options: DrillOptions): Promise<boolean> {
  const { rounds, sends, arrivals } = await promoteUnderLoad(system, options);
  const bound = options.isTimed ? boundMs : Number.MAX_SAFE_INTEGER;
  const complaints = [...tooLate(rounds, bound), ...whatIsLeft('the promotions', await untilQuiet(system))];
  const audit = await judge(system, { sends, arrivals, prefix });
  await system.stop();
  for (const { file, secret } of await findLeaks(system.logFolder, system.secrets))
    complaints.push(`SECRET in ${file}: ${secret}`);
  complaints.push(...crashesOf(system));
  printFindings(audit.findings.map((finding) => ({ fault: 'promotions', ...finding })));
  for (const line of complaints) console.log(line);
  console.log(summary(rounds, audit));
  return audit.findings.length === 0 && complaints.length === 0;
}

async function promoteUnderLoad(system: System<PostgresCluster>, options: DrillOptions) {
  const thrown = dice(options.seed);
  const apiUrls = system.of('api').map(({ url }) => url);
  const traffic = startTraffic(system, {
    prefix,
    messagesPerSecond: options.messagesPerSecond,
    messagesAtRate: Infinity,
    dice: thrown.fork(),
  });
  const probing = startProbes(apiUrls, system.tenants[0]!, prefix);
  const rounds: Round[] = [];
  try {
    for (let number = 1; number <= options.rounds; number += 1) {
      const way = options.ways[(number - 1) % options.ways.length]!;
      const round = await runRound({
        cluster: system.postgres,
        way,
        apiUrls,
        probes: probing.probes,
        dice: thrown.fork(),
      });
      rounds.push(round);
      console.log(progress(round, number, options.rounds));
    }
  } finally {
    await Promise.all([probing.stop(), traffic.stop()]);
  }
  const [probed, { sends, arrivals }] = await Promise.all([probing.stop(), traffic.stop()]);
  return { rounds, sends: [...sends, ...probed], arrivals };
}

await runProgram({ usage, readOptions, list, run });
