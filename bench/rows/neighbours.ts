import { type Figure, plain, ratio } from '../report.ts';
import type { Ground } from '../stand/ground.ts';
import { acceptBacklog } from '../stand/backlog.ts';
import { sendPaced } from '../stand/paced.ts';
import { startProvider } from '../stand/peers.ts';
import { type BenchService, startService } from '../stand/service.ts';
import { makeSender, makeSenders } from '../stand/tenants.ts';
import { quantile } from '../statistics.ts';
import { watch } from '../stand/watch.ts';
import type { Row, Sizes } from './row.ts';

/** Who else has a backlog, and at what pace the tenant who is looked at sends, for how long. */
interface Case {
  readonly others: number;
  readonly perSecond: number;
  readonly seconds: number;
}

/**
 * Every pace is less than the tenant's share of what the provider takes, which is some 1,200 a second: who wants more than
 * its share beside others waits behind its own messages. The times are for enough messages that there is a p99.
 */
const alone: Case = { others: 0, perSecond: 5, seconds: 40 };
const besides: readonly (Case & { readonly atMost: number })[] = [
  { others: 1, perSecond: 5, seconds: 40, atMost: 2 },
  { others: 100, perSecond: 5, seconds: 40, atMost: 4 },
  { others: 1_000, perSecond: 0.5, seconds: 40, atMost: 4 },
];
/** Slow enough that the backlog lasts as long as it is looked at. */
const latencyMs = 50;

/** A tenant's time from 202 to the provider's being called, beside others with a backlog, and alone. */
export const neighbours: Row = {
  name: 'neighbours',
  async run(ground, sizes, say) {
    const p99s = new Map<Case, number[]>([alone, ...besides].map((one) => [one, []]));
    const memory: Record<string, number>[] = [];
    for (let round = 0; round < sizes.rounds; round += 1) {
      for (const [one, list] of p99s) {
        await using service = await startService(ground, { workers: [] });
        const took = await measure(ground, service, one, sizes, memory);
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
  ground: Ground,
  service: BenchService,
  { others: count, ...pace }: Case,
  sizes: Sizes,
  memory: Record<string, number>[],
): Promise<number[]> {
  await using provider = await startProvider();
  await provider.tell({ latencyMs, reports: false });
  const options = { gatewayUrl: provider.sendUrl };
  const others = await makeSenders(service.db, ground.secrets, count, options);
  if (count > 0) await acceptBacklog(service.db, others, sizes.backlog);
  await service.add('dispatch-worker');
  const watching = watch(service.processes);
  const one = await makeSender(service.db, ground.secrets, options);
  // To a worker that has just begun everybody is new; it knows who has a backlog when each has had a few calls.
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
