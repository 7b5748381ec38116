import type { Kysely } from 'kysely';
import { naiveTable } from '../contenders/naive.ts';
import { wrk, type WrkResult } from '../load/wrk.ts';
import { plain, ratio } from '../report.ts';
import { startContender, startService } from '../stand/service.ts';
import { emptyTables, makeSender } from '../stand/tenants.ts';
import type { Row } from './row.ts';

/**
 * 202s a second: ours, which are durable, beside the same app that stores nothing and the same app that does one insert
 * and one job for each. A tenant of its own for each turn, with one webhook subscribed; nobody works on what is accepted.
 */
export const accept: Row = {
  name: 'accept',
  async run(ground, { seconds, rounds, connections }, say) {
    await using service = await startService(ground, { workers: [] });
    const { db, apiUrl } = service;
    await naiveTable.execute(db as unknown as Kysely<never>);
    await using constant = await startContender(ground, service, 'constant');
    await using naive = await startContender(ground, service, 'naive');
    const urls = { ours: apiUrl, constant: constant.apiUrl, naive: naive.apiUrl, bulk: apiUrl };
    const results: Record<keyof typeof urls, WrkResult[]> = { ours: [], constant: [], naive: [], bulk: [] };
    for (let round = 0; round <= rounds; round += 1) {
      for (const name of ['ours', 'constant', 'naive', 'bulk'] as const) {
        await emptyTables(db);
        const { key } = await makeSender(db, ground.secrets, webhook);
        const load =
          name === 'bulk'
            ? ({ script: 'bulk', args: [`b${round}`, key], connections: 8 } as const)
            : ({ script: 'send', args: [`${name}${round}`, '0', key], connections } as const);
        const result = await wrk({ url: urls[name], seconds, ...load });
        say(`${name} ${Math.round(result.perSecond)}/s, p99 ${Math.round(result.p99Ms)} ms, ${result.bad} bad`);
        // The first round compiles and fills caches.
        if (round > 0) results[name].push(result);
      }
    }
    const rate = (name: keyof typeof urls): number[] => results[name].map((one) => one.perSecond);
    const p99 = (name: keyof typeof urls): number[] => results[name].map((one) => one.p99Ms);
    const bulk = rate('bulk').map((calls) => calls * 100);
    return [
      ratio('accept', ['durable 202s/s', rate('ours')], ['stored nowhere', rate('constant')], { atLeast: 0.5 }),
      ratio('accept', ['durable 202s/s', rate('ours')], ['naive', rate('naive')], { atLeast: 3 }),
      ratio('accept', ['p99 ms', p99('ours')], ['naive p99 ms', p99('naive')], { atMost: 1 }),
      plain('bulk', 'messages/s in calls of 100', bulk, '/s', { atLeast: 20_000 }),
      ratio('bulk', ['messages/s in calls of 100', bulk], ['single sends/s', rate('ours')], { atLeast: 4 }),
    ];
  },
};

/** Nothing is ever called here: no worker runs. */
const webhook = { gatewayUrl: 'http://127.0.0.1:9/send', webhookUrl: 'http://127.0.0.1:9/hook' };
