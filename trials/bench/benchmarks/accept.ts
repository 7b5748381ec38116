import { naiveTable } from '../baselines/naive.ts';
import { startBaseline, startService } from '../environment/service.ts';
import { emptyTables, makeLoadTenant } from '../environment/tenants.ts';
import { wrk, type WrkOptions, type WrkResult } from '../load/wrk.ts';
import { type Figure, plain, ratio } from '../report.ts';
import type { Benchmark, Sizes } from './benchmark.ts';

/**
 * Accepted sends a second: ours, which are durable, beside the same app without storage (answering at once, and in
 * groups that wait 5 ms), and the same app with one insert and one job per message. Each pass has a tenant of its own with one webhook. No worker runs.
 */
export const accept: Benchmark = {
  name: 'accept',
  needs: ['wrk'],
  async run(environment, sizes, say) {
    await using service = await startService(environment, { workers: [] });
    await naiveTable.execute(service.db);
    await using constant = await startBaseline(environment, service, 'constant');
    await using grouped = await startBaseline(environment, service, 'grouped');
    await using naive = await startBaseline(environment, service, 'naive');
    const urls = {
      ours: service.apiUrl,
      constant: constant.apiUrl,
      grouped: grouped.apiUrl,
      naive: naive.apiUrl,
      bulk: service.apiUrl,
    };
    const results: Results = { ours: [], constant: [], grouped: [], naive: [], bulk: [] };
    for (let round = 0; round <= sizes.rounds; round += 1) {
      for (const name of ['ours', 'constant', 'grouped', 'naive', 'bulk'] as const) {
        await emptyTables(service.db);
        const { key } = await makeLoadTenant(service.db, environment.secrets, webhook);
        const result = await wrk({ url: urls[name], ...loadOf(name, `${name}${round}`, key, sizes) });
        say(
          `${name} ${Math.round(result.perSecond)}/s, p99 ${Math.round(result.p99Ms)} ms, ${result.bad} bad`,
        );
        // The first round warms up: it compiles code and fills caches.
        if (round > 0) results[name].push(result);
      }
    }
    return figuresOf(results);
  },
};

type Variant = 'ours' | 'constant' | 'grouped' | 'naive' | 'bulk';
type Results = Record<Variant, WrkResult[]>;

function loadOf(
  name: Variant,
  prefix: string,
  key: string,
  { seconds, connections }: Sizes,
): Omit<WrkOptions, 'url'> {
  if (name === 'bulk') return { script: 'bulk', args: [prefix, key], connections: bulkConnections, seconds };
  return { script: 'send', args: [prefix, '0', key], connections, seconds };
}

function figuresOf(results: Results): Figure[] {
  const rate = (name: Variant): number[] => results[name].map((one) => one.perSecond);
  const p99 = (name: Variant): number[] => results[name].map((one) => one.p99Ms);
  const durable = ['durable 202s/s', rate('ours')] as const;
  const bulk = ['messages/s in calls of 100', rate('bulk').map((calls) => calls * 100)] as const;
  return [
    ratio('accept', durable, ['without storage', rate('constant')], { atLeast: 0.75 }),
    ratio('accept', durable, ['without storage, in groups', rate('grouped')], null),
    ratio('accept', durable, ['naive', rate('naive')], null),
    ratio('accept', ['p99 ms', p99('ours')], ['naive p99 ms', p99('naive')], { atMost: 1 }),
    plain('bulk', ...bulk, '/s', { atLeast: 20_000 }),
    ratio('bulk', bulk, ['single sends/s', rate('ours')], { atLeast: 4 }),
  ];
}

const bulkConnections = 8;

/** Never called, because no worker runs. */
const webhook = { gatewayUrl: 'http://127.0.0.1:9/send', webhookUrl: 'http://127.0.0.1:9/hook' };
