import { writeFile } from 'node:fs/promises';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { endWithNpm } from '@notify/testkit';
import { type Figure, table, verdict } from './report.ts';
import { accept } from './rows/accept.ts';
import { endToEnd } from './rows/end-to-end.ts';
import { fairness } from './rows/fairness.ts';
import { growth } from './rows/growth.ts';
import { hostile } from './rows/hostile.ts';
import { latency } from './rows/latency.ts';
import { lookUps } from './rows/look-ups.ts';
import { neighbours } from './rows/neighbours.ts';
import type { Row, Sizes } from './rows/row.ts';
import { scaling } from './rows/scaling.ts';
import { usage } from './rows/usage.ts';
import { webhookDeliveries } from './rows/webhooks.ts';
import { openGround } from './stand/ground.ts';

/*
 * `npm run bench` measures every row, `npm run bench -- accept latency` those named. `--quick` is for trying: a figure
 * of it says little. `--json <file>` writes the figures there too. What each size is called by: see `sizes`.
 */
const rows: readonly Row[] = [
  accept,
  endToEnd,
  latency,
  webhookDeliveries,
  neighbours,
  lookUps,
  scaling,
  growth,
  fairness,
  usage,
  hostile,
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
    /** `name=value`, over the sizes of a full run. */
    size: { type: 'string', multiple: true, default: [] },
    /** A flag of Postgres, such as `shared_preload_libraries=pg_stat_statements`. */
    postgres: { type: 'string', multiple: true, default: [] },
  },
});

const sizes: Sizes = {
  ...(values.quick ? quick : full),
  ...Object.fromEntries(values.size.map((one) => [one.split('=')[0]!, Number(one.split('=')[1])])),
};
const chosen = positionals.length === 0 ? rows : rows.filter((row) => positionals.includes(row.name));
const unknown = positionals.filter((name) => !rows.some((row) => row.name === name));
if (unknown.length > 0)
  throw new Error(`no such row: ${unknown.join(', ')}; there are ${rows.map((row) => row.name).join(', ')}`);

endWithNpm();
const ground = await openGround(values.postgres.flatMap((flag) => ['-c', flag]));
const figures: Figure[] = [];
try {
  for (const row of chosen) {
    const began = performance.now();
    console.log(`${row.name} …`);
    figures.push(...(await row.run(ground, sizes, (line) => console.log(`  ${line}`))));
    console.log(`  ${Math.round((performance.now() - began) / 1_000)} s`);
  }
} finally {
  await ground.close();
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
