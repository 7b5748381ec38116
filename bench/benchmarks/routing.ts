import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '@notify/testkit';
import { wrk } from '../load/wrk.ts';
import { type Figure, plain } from '../report.ts';
import { usageOf } from '../environment/cpu.ts';
import { type RunningProgram, startProgram } from '../environment/program.ts';
import { spreadOf } from '../statistics.ts';
import type { Benchmark, Sizes } from './benchmark.ts';

const ways = ['plain', 'short-cut', 'table', 'express'] as const;
type Way = (typeof ways)[number];

const loads = ['look-up', 'send'] as const;
type Load = (typeof loads)[number];

/** Ids that are looked up; nothing is stored under them. */
const ids = 1_000;
/** In the first ones a process compiles and fills caches. */
const warmUpTurns = 2;

/**
 * CPU per request of the ways to an endpoint, which answers a constant: Node's http server alone, the short cut past
 * Express that the api once had, its table behind Express, and Express's own router. They take turns of a second, and two
 * ways are compared by turns next to each other, because the machine's other work comes and goes. Each round has processes
 * of its own, because two processes of one program differ.
 */
export const routing: Benchmark = {
  name: 'routing',
  async run(ground, sizes, say) {
    const file = path.join(ground.dir, 'unknown-ids');
    await writeFile(file, Array.from({ length: ids }, () => `msg_${randomUUID()}\n`).join(''));
    const costs = { 'look-up': noCosts(), send: noCosts() };
    for (let round = 0; round < sizes.rounds; round += 1) {
      await using running = await startWays();
      for (let turn = -warmUpTurns; turn < sizes.seconds; turn += 1) {
        for (const [load, way] of turnsOf(turn)) {
          const cost = await costOf(running.servers[way], load, file, sizes);
          costs[load][way].push(...(turn < 0 ? [] : [cost]));
        }
      }
      for (const load of loads)
        say(`${load}: ${ways.map((way) => describe(way, costs[load])).join(', ')} µs`);
    }
    return loads.flatMap((load) => figuresOf(load, costs[load]));
  },
};

interface Server {
  readonly program: RunningProgram;
  readonly url: string;
}

async function startWays(): Promise<{ readonly servers: Record<Way, Server> } & AsyncDisposable> {
  const servers = await byWay(async (way) => {
    const port = await freePort();
    const program = await startProgram('baselines/ways.ts', { args: [way, port], logFile: '/dev/null' });
    return { program, url: `http://127.0.0.1:${port}` };
  });
  return {
    servers,
    async [Symbol.asyncDispose]() {
      await byWay((way) => servers[way].program.stop());
    },
  };
}

/** Every other time backwards, so no way always follows the same one. */
function turnsOf(turn: number): (readonly [Load, Way])[] {
  const inTurn = turn % 2 === 0 ? ways : ways.toReversed();
  return loads.flatMap((load) => inTurn.map((way) => [load, way] as const));
}

/** µs of CPU per request, over a second. */
async function costOf(
  { program, url }: Server,
  load: Load,
  file: string,
  { connections }: Sizes,
): Promise<number> {
  const args = load === 'send' ? ['r', '0', 'key'] : ['key', file];
  const before = usageOf([program.pid]).cpuMs;
  const { good, bad } = await wrk({ url, script: load, args, connections, seconds: 1 });
  if (bad > 0) throw new Error(`${bad} of ${good + bad} requests were not answered as they should be`);
  return ((usageOf([program.pid]).cpuMs - before) * 1_000) / good;
}

async function byWay<T>(run: (way: Way) => Promise<T>): Promise<Record<Way, T>> {
  const pairs = await Promise.all(ways.map(async (way) => [way, await run(way)] as const));
  return Object.fromEntries(pairs) as Record<Way, T>;
}

/** µs of CPU per request, a figure a turn. */
type Costs = Record<Way, number[]>;

function noCosts(): Costs {
  return { plain: [], 'short-cut': [], table: [], express: [] };
}

function describe(way: Way, costs: Costs): string {
  return `${way} ${spreadOf(costs[way]).median.toFixed(1)}`;
}

function figuresOf(load: Load, costs: Costs): Figure[] {
  const over = (way: Way, base: Way): number[] => costs[way].map((cost, turn) => cost - costs[base][turn]!);
  return [
    ...ways.map((way) => plain('routing', `CPU per ${load}, ${way}`, costs[way], 'µs')),
    plain('routing', `CPU per ${load}, table − short cut`, over('table', 'short-cut'), 'µs', { atMost: 15 }),
    plain('routing', `CPU per ${load}, table − plain`, over('table', 'plain'), 'µs'),
  ];
}
