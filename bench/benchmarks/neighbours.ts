import { acceptBacklog } from '../environment/backlog.ts';
import type { Environment } from '../environment/environment.ts';
import { sendPaced } from '../environment/paced.ts';
import { startProvider } from '../environment/peers.ts';
import { type BenchService, startService } from '../environment/service.ts';
import { makeLoadTenant, makeLoadTenants } from '../environment/tenants.ts';
import { watch } from '../environment/watch.ts';
import { type Figure, plain, ratio } from '../report.ts';
import { quantile } from '../statistics.ts';
import type { Benchmark, Sizes } from './benchmark.ts';

/** The number of tenants with a backlog, and the rate and duration of the tenant under test. */
interface Case {
  readonly others: number;
  readonly perSecond: number;
  readonly seconds: number;
}

/**
 * Every rate is below the tenant's share of the provider, which takes some 1,200 messages a second: above its share
 * a tenant waits behind its own messages. The durations give enough messages for a p99.
 */
const alone: Case = { others: 0, perSecond: 5, seconds: 40 };
const besides: readonly (Case & { readonly atMost: number })[] = [
  { others: 1, perSecond: 5, seconds: 40, atMost: 2 },
  { others: 100, perSecond: 5, seconds: 40, atMost: 4 },
  { others: 1_000, perSecond: 0.5, seconds: 40, atMost: 4 },
];
/** Slow enough for the backlog to outlast the measurement. */
const latencyMs = 50;

/** A tenant's latency from the 202 to the call of the provider, beside others with a backlog, and alone. */
export const neighbours: Benchmark = {
  name: 'neighbours',
  async run(environment, sizes, say) {
    const p99s = new Map<Case, number[]>([alone, ...besides].map((one) => [one, []]));
    const memory: Record<string, number>[] = [];
    for (let round = 0; round < sizes.rounds; round += 1) {
      for (const [one, list] of p99s) {
        await using service = await startService(environment, { workers: [] });
        const took = await measure(environment, service, one, sizes, memory);
        const [p50, p99] = [quantile(took, 0.5), quantile(took, 0.99)];
        say(`beside ${one.others}: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`);
        list.push(p99);
      }
    }
    const ratios = besides.map((one) => {
      const name = `p99 ms beside ${one.others} with ${sizes.backlog / one.others} waiting each`;
      return ratio('neighbours', [name, p99s.get(one)!], ['p99 ms alone', p99s.get(alone)!], {
        atMost: one.atMost,
      });
    });
    return [...ratios, ...memoryFigures(memory, sizes)];
  },
};

async function measure(
  environment: Environment,
  service: BenchService,
  { others: count, ...pace }: Case,
  sizes: Sizes,
  memory: Record<string, number>[],
): Promise<number[]> {
  await using provider = await startProvider();
  await provider.configure({ latencyMs, reports: false });
  const options = { gatewayUrl: provider.sendUrl };
  const others = await makeLoadTenants(service.db, environment.secrets, count, options);
  if (count > 0) await acceptBacklog(service.db, others, sizes.backlog);
  await service.add('dispatch-worker');
  const watching = watch(service.processes);
  const one = await makeLoadTenant(service.db, environment.secrets, options);
  // Every account is new to a worker that has just started. After a few calls each, it knows the accounts with a
  // backlog.
  await sendPaced(service, provider, [one], { ...pace, seconds: 10 });
  const took = await sendPaced(service, provider, [one], pace);
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
