import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '@notify/testkit';
import { usageOf } from '../environment/cpu.ts';
import { type RunningProgram, startProgram } from '../environment/program.ts';
import { wrk } from '../load/wrk.ts';
import { type Figure, plain } from '../report.ts';
import { spreadOf } from '../../kit/statistics.ts';
import type { Benchmark, Sizes } from './benchmark.ts';

const ways = ['plain', 'short-cut', 'table', 'express'] as const;
type Way = (typeof ways)[number];

const loads = ['look-up', 'send'] as const;
type Load = (typeof loads)[number];

/** Ids to look up; nothing is stored under them. */
const ids = 1_000;
/** Turns before the measured ones, in which a process compiles code and fills caches. */
const warmUpTurns = 2;

/**
 * CPU per request of the ways to an endpoint with a constant answer: Node's http server alone, the short cut past
 * Express that the api once had, its table behind Express, and Express's own router. The ways take turns of a
 * second, and the figures compare turns next to each other, because other work on the machine comes and goes. Every
 * round starts new processes, because two processes of one program differ.
 */
export const routing: Benchmark = {
  name: 'routing',
  needs: ['wrk'],
  async run(environment, sizes, say) {
    const file = path.join(environment.dir, 'unknown-ids');
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

/** Reverses every other turn, so that no way always follows the same one. */
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
  if (bad > 0) throw new Error(`${bad} of ${good + bad} requests got a wrong status or no answer`);
  return ((usageOf([program.pid]).cpuMs - before) * 1_000) / good;
}

async function byWay<T>(run: (way: Way) => Promise<T>): Promise<Record<Way, T>> {
  const pairs = await Promise.all(ways.map(async (way) => [way, await run(way)] as const));
  return Object.fromEntries(pairs) as Record<Way, T>;
}

/** µs of CPU per request, one figure per turn. */
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
