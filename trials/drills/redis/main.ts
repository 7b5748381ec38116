import {
  endWithNpm,
  type RedisSet,
  startOwnPostgres,
  startRedisCluster,
  startSentinelSet,
} from '@notify/testkit';
import { dice } from '../../kit/dice.ts';
import type { Finding } from '../../kit/audit/finding.ts';
import { type Phase, runPhase } from '../../kit/faults/phase.ts';
import { interruption, runProgram } from '../../kit/program.ts';
import { untilQuiet } from '../../kit/system/quiet.ts';
import { startSystem, type System } from '../../kit/system/system.ts';
import { crashesOf, judge, printFindings, whatIsLeft } from '../../kit/audit/verdict.ts';
import { type Break, breakOf } from './breaks.ts';
import { type Options, readOptions, usage } from './options.ts';
import { type Pause, pauseAfter } from './pause.ts';

/*
 * `npm run redis-drill` runs the whole service under load on Sentinel or on a Redis Cluster, and takes away one node
 * after the other: killed, paused, cut off. It measures how long turns pause, and audits every message as chaos does.
 * It exits with 1 when turns paused for more than 15 s, when anything was lost, stuck, missing or wrongly repeated, or
 * when a process crashed.
 */

const mostPauseMs = 15_000;
/** A cluster spreads the queues, so it gets more of them than it has masters. */
const partitions = { sentinel: 1, cluster: 6 };

interface Result {
  readonly taken: Break;
  readonly phase: Phase;
  readonly pause: Pause;
}

async function run(options: Options): Promise<boolean> {
  endWithNpm();
  console.log(`seed ${options.seed}`);
  let set: RedisSet | undefined;
  const start = options.topology === 'sentinel' ? startSentinelSet : startRedisCluster;
  const system = await startSystem(startOwnPostgres, {
    startRedis: async () => (set = await start({ password: 'drill' })),
    env: { QUEUE_PARTITIONS: String(partitions[options.topology]) },
  });
  if (options.keepLogs) console.log(`logs: ${system.logFolder}`);
  try {
    return await Promise.race([drill(system, set!, options), interruption()]);
  } finally {
    await system.stop();
    if (!options.keepLogs) await system.removeLogs();
  }
}

async function drill(system: System, set: RedisSet, options: Options): Promise<boolean> {
  const thrown = dice(options.seed);
  const complaints: string[] = [];
  const results: Result[] = [];
  const breaks = [
    breakOf(set, set.nodes[0]!, 'left alone', options.awayMs),
    ...options.harms.flatMap((harm) => set.nodes.map((node) => breakOf(set, node, harm, options.awayMs))),
  ];
  const { messagesPerSecond, awayMs } = options;
  const load = { messagesPerSecond, messagesPerFault: (messagesPerSecond * awayMs) / 1_000 };
  console.log(
    '| topology | node | role | how | replaced by Redis after | turns paused for | longest wait of a message |',
  );
  for (const [index, taken] of breaks.entries()) {
    const phase = await runPhase(system, taken, `${index + 1}`, load, thrown.fork());
    if (phase.failure !== null) complaints.push(`NOT BROKEN: ${taken.name}: ${phase.failure}`);
    complaints.push(...whatIsLeft(taken.name, await untilQuiet(system)));
    const pause = await pauseAfter(system.db, taken.wentAt(), options.awayMs);
    if (pause.ms > mostPauseMs) complaints.push(`PAUSED: ${taken.name}: ${seconds(pause.ms)}`);
    results.push({ taken, phase, pause });
    console.log(lineOf(options, taken, pause));
  }
  const findings: (Finding & { readonly fault: string })[] = [];
  let accepted = 0;
  for (const { taken, phase } of results) {
    const judged = await judge(system, phase);
    accepted += judged.accepted;
    findings.push(...judged.findings.map((finding) => ({ fault: taken.name, ...finding })));
  }
  await system.stop();
  complaints.push(...crashesOf(system));
  printFindings(findings);
  for (const line of complaints) console.log(line);
  console.log(`${accepted} accepted, ${findings.length} findings, ${complaints.length} complaints`);
  const longest = Math.max(0, ...results.map(({ pause }) => pause.ms));
  console.log(`longest pause ${seconds(longest)}`);
  return findings.length + complaints.length === 0;
}

function lineOf({ topology }: Options, { node, role, harm, replacedMs }: Break, pause: Pause): string {
  const replaced = replacedMs();
  const byRedis = replaced === null ? 'not' : seconds(replaced);
  return `| ${topology} | ${node.name} | ${role()} | ${harm} | ${byRedis} | ${seconds(pause.ms)} | ${seconds(pause.longestWaitMs)} |`;
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}

await runProgram({ usage, readOptions, run });
