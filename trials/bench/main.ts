import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { endWithNpm } from '@notify/testkit';
import { accept } from './benchmarks/accept.ts';
import type { Benchmark, Sizes } from './benchmarks/benchmark.ts';
import { connections } from './benchmarks/connections.ts';
import { conversations } from './benchmarks/conversations.ts';
import { endToEnd } from './benchmarks/end-to-end.ts';
import { fairness } from './benchmarks/fairness.ts';
import { growth } from './benchmarks/growth.ts';
import { hostile } from './benchmarks/hostile.ts';
import { inbound } from './benchmarks/inbound.ts';
import { installation } from './benchmarks/installation.ts';
import { latency } from './benchmarks/latency.ts';
import { lookUps } from './benchmarks/look-ups.ts';
import { metrics } from './benchmarks/metrics.ts';
import { neighbours, storm } from './benchmarks/neighbours.ts';
import { overload } from './benchmarks/overload.ts';
import { sampling } from './benchmarks/sampling.ts';
import { scheduled } from './benchmarks/scheduled.ts';
import { scaling } from './benchmarks/scaling.ts';
import { templates } from './benchmarks/templates.ts';
import { traces } from './benchmarks/traces.ts';
import { usage } from './benchmarks/usage.ts';
import { webhookDeliveries } from './benchmarks/webhooks.ts';
import { withoutWebhooks } from './benchmarks/without-webhooks.ts';
import { openEnvironment } from './environment/environment.ts';
import { missing } from './environment/programs.ts';
import { flag, named, readNames, text, texts } from '../kit/options.ts';
import { runProgram } from '../kit/program.ts';
import { type Figure, table, verdict } from './report.ts';

const benchmarks: readonly Benchmark[] = [
  accept,
  endToEnd,
  withoutWebhooks,
  latency,
  webhookDeliveries,
  neighbours,
  storm,
  scheduled,
  lookUps,
  scaling,
  installation,
  templates,
  growth,
  fairness,
  usage,
  hostile,
  overload,
  connections,
  inbound,
  conversations,
  traces,
  sampling,
  metrics,
];

const full: Sizes = {
  seconds: 8,
  rounds: 5,
  messages: 20_000,
  rows: 5_000_000,
  backlog: 100_000,
  connections: 64,
};
const quick: Sizes = {
  seconds: 3,
  rounds: 1,
  messages: 4_000,
  rows: 200_000,
  backlog: 10_000,
  connections: 64,
};

const help = `npm run bench [-- benchmark … options]
  Runs these benchmarks, or all of them, and prints their figures.
  --list                    lists the benchmarks
  --quick                   short runs, whose figures say little
  --size <name=n>           changes one of the sizes: ${Object.keys(full).join(', ')}; repeat it for several
  --postgres <name=value>   a setting of Postgres, such as shared_preload_libraries=pg_stat_statements; repeat it for several
  --json <file>             writes the figures into a file
  --help                    prints this text`;

interface Options {
  readonly chosen: readonly Benchmark[];
  /** Whether they were asked for by name: then one that cannot run is a failure. */
  readonly isChoice: boolean;
  readonly sizes: Sizes;
  readonly postgres: readonly string[];
  readonly json: string | null;
}

function readOptions(args: readonly string[]): Options {
  const known = { quick: flag, json: text, size: texts, postgres: texts };
  const { values, names } = readNames(args, known);
  const changed = values.size.map((one) => one.split('='));
  return {
    chosen: names.length === 0 ? benchmarks : names.map(named('benchmark', benchmarks)),
    isChoice: names.length > 0,
    sizes: {
      ...(values.quick ? quick : full),
      ...Object.fromEntries(changed.map(([name = '', size]) => [name, Number(size)])),
    },
    postgres: values.postgres,
    json: values.json ?? null,
  };
}

async function run({ chosen, isChoice, sizes, postgres, json }: Options): Promise<boolean> {
  const able = chosen.filter(({ name, needs = [] }) => {
    const faults = needs.flatMap((program) => missing(program) ?? []);
    for (const fault of faults) console.log(`${name} is left out: ${fault}`);
    return faults.length === 0;
  });
  endWithNpm();
  const environment = await openEnvironment(postgres.flatMap((setting) => ['-c', setting]));
  const figures: Figure[] = [];
  try {
    for (const benchmark of able) {
      const began = performance.now();
      console.log(`${benchmark.name} …`);
      figures.push(...(await benchmark.run(environment, sizes, (line) => console.log(`  ${line}`))));
      console.log(`  ${Math.round((performance.now() - began) / 1_000)} s`);
    }
  } finally {
    await environment.close();
  }
  console.log(`\n${table(figures)}\n`);
  const [cpu] = cpus();
  const report = JSON.stringify({
    machine: { cpus: cpus().length, model: cpu?.model, node: process.version },
    sizes,
    figures: figures.map((one) => ({ ...one, verdict: verdict(one) })),
  });
  if (json === null) console.log(report);
  else await writeFile(json, `${report}\n`);
  return !isChoice || able.length === chosen.length;
}

await runProgram({ usage: help, readOptions, list: () => benchmarks.map(({ name }) => name), run });
