import { setTimeout as wait } from 'node:timers/promises';
import { acceptBacklog } from '../environment/backlog.ts';
import type { Environment } from '../environment/environment.ts';
import { sendPaced } from '../environment/paced.ts';
import { startProvider } from '../environment/peers.ts';
import { type BenchService, startService } from '../environment/service.ts';
import { makeLoadTenants } from '../environment/tenants.ts';
import { watch } from '../environment/watch.ts';
import { type Figure, plain, ratio } from '../report.ts';
import { quantile } from '../../kit/statistics.ts';
import type { Benchmark, Sizes } from './benchmark.ts';

/** The tenants with a backlog, and the state of the worker. */
interface Case {
  readonly others: number;
  /** Whether the worker has had time to learn which accounts have a backlog. */
  readonly isWarm: boolean;
  /** Whether the backlog is scheduled, and due at the moment when the measurement begins. */
  readonly isStorm?: boolean;
}

/**
 * The tenants under test send 420 messages, enough for a p99. Each sends one in about 3 s. That is below its share of
 * the provider beside 1,000 others: above its share, a tenant waits behind its own messages.
 */
const senders = 60;
const pace = { perSecond: 20, seconds: 21 };
const warmUpSeconds = 10;
/** Slow enough for the backlog to outlast the measurement. */
const latencyMs = 50;

const alone: Case = { others: 0, isWarm: true };
const besides: readonly (Case & { readonly atMost: number })[] = [
  { others: 1, isWarm: true, atMost: 2 },
  { others: 100, isWarm: true, atMost: 3 },
  { others: 1_000, isWarm: true, atMost: 4 },
  { others: 1_000, isWarm: false, atMost: 4 },
];

const storms: readonly (Case & { readonly atMost: number })[] = [
  { others: 1, isWarm: true, isStorm: true, atMost: 2 },
  { others: 100, isWarm: true, isStorm: true, atMost: 3 },
];
/** Long enough to store a storm and to warm up before it is due. */
const stormInMs = 60_000;

/** The latency of tenants with little to send, from the 202 to the call of the provider, beside others and alone. */
export const neighbours: Benchmark = neighboursOf('neighbours', besides);

/** The same, beside tenants whose scheduled messages all become due when the measurement begins. */
export const storm: Benchmark = neighboursOf('storm', storms);

function neighboursOf(row: string, cases: readonly (Case & { readonly atMost: number })[]): Benchmark {
  return {
    name: row,
    async run(environment, sizes, say) {
      const p99s = new Map<Case, number[]>([alone, ...cases].map((one) => [one, []]));
      const memory: Record<string, number>[] = [];
      for (let round = 0; round < sizes.rounds; round += 1) {
        for (const [one, list] of p99s) {
          await using service = await startService(environment, { workers: [] });
          const took = await measure(environment, service, one, sizes, memory);
          const [p50, p99] = [quantile(took, 0.5), quantile(took, 0.99)];
          say(
            `${nameOf(one)}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms of ${took.length} messages`,
          );
          list.push(p99);
        }
      }
      const ratios = cases.map((one) => {
        const name = `p99 ms ${nameOf(one)} with ${sizes.backlog / one.others} waiting each`;
        return ratio(row, [name, p99s.get(one)!], ['p99 ms alone', p99s.get(alone)!], {
          atMost: one.atMost,
        });
      });
      return [...ratios, ...memoryFigures(memory, sizes)];
    },
  };
}

function nameOf({ others, isWarm, isStorm = false }: Case): string {
  return `beside ${others}${isStorm ? ' due at once' : ''}${isWarm ? '' : ' (worker just started)'}`;
}

async function measure(
  environment: Environment,
  service: BenchService,
  { others: count, isWarm, isStorm = false }: Case,
  sizes: Sizes,
  memory: Record<string, number>[],
): Promise<number[]> {
  await using provider = await startProvider();
  await provider.configure({ latencyMs, reports: false });
  const options = { gatewayUrl: provider.sendUrl };
  const others = await makeLoadTenants(service.db, environment.secrets, count, options);
  const tenants = await makeLoadTenants(service.db, environment.secrets, senders, options);
  const dueAt = isStorm ? new Date(Date.now() + stormInMs) : null;
  if (count > 0) await acceptBacklog(service.db, others, sizes.backlog, dueAt);
  await service.add('dispatch-worker');
  const watching = watch(service.processes);
  if (isWarm) await sendPaced(service, provider, tenants, { ...pace, seconds: warmUpSeconds });
  if (dueAt !== null) await wait(Math.max(0, dueAt.getTime() - Date.now()));
  const { called: took } = await sendPaced(service, provider, tenants, pace);
  if (count > 0) memory.push({ ...watching.end().rssMb });
  else watching.end();
  return took;
}

function memoryFigures(memory: readonly Record<string, number>[], { backlog }: Sizes): Figure[] {
  return ['api', 'dispatch-worker'].map((name) =>
    plain(
      'memory',
      `${name}, with ${backlog} waiting`,
      memory.map((one) => one[name] ?? NaN),
      'MB',
      { atMost: 200 },
    ),
  );
}
