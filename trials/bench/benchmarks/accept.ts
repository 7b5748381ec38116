import { startService } from '../environment/service.ts';
import { emptyTables, makeLoadTenant } from '../environment/tenants.ts';
import { wrk, type WrkOptions, type WrkResult } from '../load/wrk.ts';
import { type Figure, plain, ratio } from '../report.ts';
import type { Benchmark, Sizes } from './benchmark.ts';

/**
 * Accepted sends a second, single ones beside calls of 100. Each pass has a new tenant with one webhook. No worker runs.
 */
export const accept: Benchmark = {
  name: 'accept',
  needs: ['wrk'],
  async run(environment, sizes, say) {
    await using service = await startService(environment, { workers: [] });
    const results: Results = { singles: [], bulk: [] };
    for (let round = 0; round <= sizes.rounds; round += 1) {
      for (const name of ['singles', 'bulk'] as const) {
        await emptyTables(service.db);
        const { key } = await makeLoadTenant(service.db, environment.secrets, webhook);
        const result = await wrk({ url: service.apiUrl, ...loadOf(name, `${name}${round}`, key, sizes) });
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

type Variant = 'singles' | 'bulk';
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
  const singles = ['single sends/s', rate('singles')] as const;
  const p99 = results.singles.map((one) => one.p99Ms);
  const bulk = ['messages/s in calls of 100', rate('bulk').map((calls) => calls * 100)] as const;
  return [
    plain('accept', ...singles, '/s'),
    plain('accept', 'p99 of single sends', p99, 'ms'),
    plain('bulk', ...bulk, '/s', { atLeast: 20_000 }),
    ratio('bulk', bulk, singles, { atLeast: 4 }),
  ];
}

const bulkConnections = 8;

/** Never called, because no worker runs. */
const webhook = { gatewayUrl: 'http://127.0.0.1:9/send', webhookUrl: 'http://127.0.0.1:9/hook' };
