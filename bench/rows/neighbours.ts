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

/**
 * What the tenant who is looked at sends: less than its share of what the provider takes, of which it is one of 101. Who
 * wants more than its share beside others waits behind its own messages.
 */
const perSecond = 5;
/** For enough messages that there is a p99. */
const seconds = 20;
/** Slow enough that the backlog lasts as long as it is looked at. */
const latencyMs = 50;
const many = 100;

/** A tenant's time from 202 to the provider's being called, beside others with a backlog, and alone. */
export const neighbours: Row = {
  name: 'neighbours',
  async run(ground, sizes, say) {
    const alone: number[] = [];
    const besideOne: number[] = [];
    const besideMany: number[] = [];
    const memory: Record<string, number>[] = [];
    for (let round = 0; round < sizes.rounds; round += 1) {
      for (const [list, tenants] of [
        [alone, 0],
        [besideOne, 1],
        [besideMany, many],
      ] as const) {
        await using service = await startService(ground, { workers: [] });
        const p99 = await besides(ground, service, tenants, sizes, memory);
        say(`beside ${tenants}: p99 ${p99.toFixed(1)} ms`);
        list.push(p99);
      }
    }
    const p99Alone = ['p99 ms alone', alone] as const;
    return [
      ratio('neighbours', [`p99 ms beside one with ${sizes.backlog} waiting`, besideOne], p99Alone, {
        atMost: 2,
      }),
      ratio('neighbours', [`p99 ms beside ${many} with ${sizes.backlog / many} each`, besideMany], p99Alone, {
        atMost: 4,
      }),
      ...memoryFigures(memory, sizes),
    ];
  },
};

async function besides(
  ground: Ground,
  service: BenchService,
  count: number,
  sizes: Sizes,
  memory: Record<string, number>[],
): Promise<number> {
  await using provider = await startProvider();
  await provider.tell({ latencyMs, reports: false });
  const options = { gatewayUrl: provider.sendUrl };
  const others = await makeSenders(service.db, ground.secrets, count, options);
  if (count > 0) await acceptBacklog(service.db, others, sizes.backlog);
  await service.add('dispatch-worker');
  const watching = watch(service.processes);
  const one = await makeSender(service.db, ground.secrets, options);
  // The first second warms up what has just begun.
  await sendPaced(service, provider, [one], { perSecond, seconds: 1 });
  const took = await sendPaced(service, provider, [one], { perSecond, seconds });
  if (count > 0) memory.push({ ...watching.end().rssMb });
  else watching.end();
  return quantile(took, 0.99);
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
