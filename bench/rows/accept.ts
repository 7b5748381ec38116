import { naiveTable } from '../contenders/naive.ts';
import { wrk, type WrkOptions, type WrkResult } from '../load/wrk.ts';
import { type Figure, plain, ratio } from '../report.ts';
import { startContender, startService } from '../stand/service.ts';
import { emptyTables, makeSender } from '../stand/tenants.ts';
import type { Row, Sizes } from './row.ts';

/**
 * 202s a second: ours, which are durable, beside the same app that stores nothing and the same app that does one insert
 * and one job for each. A tenant of its own for each turn, with one webhook subscribed; nobody works on what is accepted.
 */
export const accept: Row = {
  name: 'accept',
  async run(ground, sizes, say) {
    await using service = await startService(ground, { workers: [] });
    await naiveTable.execute(service.db);
    await using constant = await startContender(ground, service, 'constant');
    await using naive = await startContender(ground, service, 'naive');
    const urls = {
      ours: service.apiUrl,
      constant: constant.apiUrl,
      naive: naive.apiUrl,
      bulk: service.apiUrl,
    };
    const results: Results = { ours: [], constant: [], naive: [], bulk: [] };
    for (let round = 0; round <= sizes.rounds; round += 1) {
      for (const name of ['ours', 'constant', 'naive', 'bulk'] as const) {
        await emptyTables(service.db);
        const { key } = await makeSender(service.db, ground.secrets, webhook);
        const result = await wrk({ url: urls[name], ...loadOf(name, `${name}${round}`, key, sizes) });
        say(
          `${name} ${Math.round(result.perSecond)}/s, p99 ${Math.round(result.p99Ms)} ms, ${result.bad} bad`,
        );
        // The first round compiles and fills caches.
        if (round > 0) results[name].push(result);
      }
    }
    return figuresOf(results);
  },
};

type Contender = 'ours' | 'constant' | 'naive' | 'bulk';
type Results = Record<Contender, WrkResult[]>;

function loadOf(
  name: Contender,
  prefix: string,
  key: string,
  { seconds, connections }: Sizes,
): Omit<WrkOptions, 'url'> {
  if (name === 'bulk') return { script: 'bulk', args: [prefix, key], connections: bulkConnections, seconds };
  return { script: 'send', args: [prefix, '0', key], connections, seconds };
}

function figuresOf(results: Results): Figure[] {
  const rate = (name: Contender): number[] => results[name].map((one) => one.perSecond);
  const p99 = (name: Contender): number[] => results[name].map((one) => one.p99Ms);
  const durable = ['durable 202s/s', rate('ours')] as const;
  const bulk = ['messages/s in calls of 100', rate('bulk').map((calls) => calls * 100)] as const;
  return [
    ratio('accept', durable, ['stored nowhere', rate('constant')], { atLeast: 0.5 }),
    ratio('accept', durable, ['naive', rate('naive')], { atLeast: 3 }),
    ratio('accept', ['p99 ms', p99('ours')], ['naive p99 ms', p99('naive')], { atMost: 1 }),
    plain('bulk', ...bulk, '/s', { atLeast: 20_000 }),
    ratio('bulk', bulk, ['single sends/s', rate('ours')], { atLeast: 4 }),
  ];
}

const bulkConnections = 8;

/** Nothing is ever called here: no worker runs. */
const webhook = { gatewayUrl: 'http://127.0.0.1:9/send', webhookUrl: 'http://127.0.0.1:9/hook' };
