import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
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
import { type Figure, table, verdict } from './report.ts';

/*
 * `npm run bench` runs every benchmark, `npm run bench -- accept latency` these two. `--quick` makes short runs,
 * whose figures say little. `--size name=value` changes one of the sizes below. `--json <file>` writes the figures
 * to a file.
 */
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

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    quick: { type: 'boolean', default: false },
    json: { type: 'string' },
    /** `name=value`, over the chosen sizes. */
    size: { type: 'string', multiple: true, default: [] },
    /** A setting of Postgres, such as `shared_preload_libraries=pg_stat_statements`. */
    postgres: { type: 'string', multiple: true, default: [] },
  },
});

const sizes: Sizes = {
  ...(values.quick ? quick : full),
  ...Object.fromEntries(values.size.map((one) => [one.split('=')[0]!, Number(one.split('=')[1])])),
};
const chosen =
  positionals.length === 0 ? benchmarks : benchmarks.filter(({ name }) => positionals.includes(name));
const unknown = positionals.filter((name) => !benchmarks.some((one) => one.name === name));
if (unknown.length > 0)
  throw new Error(
    `no such benchmark: ${unknown.join(', ')}; there are ${benchmarks.map(({ name }) => name).join(', ')}`,
  );

const able = chosen.filter(({ name, needs = [] }) => {
  const faults = needs.flatMap((program) => missing(program) ?? []);
  for (const fault of faults) console.log(`${name} is left out: ${fault}`);
  return faults.length === 0;
});
// A benchmark that was asked for by name and cannot run is a failure.
if (able.length < chosen.length && positionals.length > 0) process.exitCode = 1;

endWithNpm();
const environment = await openEnvironment(values.postgres.flatMap((flag) => ['-c', flag]));
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
const report = {
  machine: { cpus: cpus().length, model: cpu?.model, node: process.version },
  sizes,
  figures: figures.map((one) => ({ ...one, verdict: verdict(one) })),
};
const json = JSON.stringify(report);
if (values.json === undefined) console.log(json);
else await writeFile(values.json, `${json}\n`);
