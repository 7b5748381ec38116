import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { loadMessages } from '../environment/history.ts';
import { startBaseline, startService } from '../environment/service.ts';
import { makeLoadTenant } from '../environment/tenants.ts';
import { wrk } from '../load/wrk.ts';
import { ratio } from '../report.ts';
import type { Benchmark } from './benchmark.ts';

const stored = 100_000;
const asked = 20_000;

/** Status look-ups a second at random ids with a checked key, beside the same route with a constant answer. */
export const lookUps: Benchmark = {
  name: 'look-ups',
  needs: ['wrk'],
  async run(environment, { seconds, rounds, connections }, say) {
    await using service = await startService(environment, { workers: [] });
    await using constant = await startBaseline(environment, service, 'constant');
    const tenant = await makeLoadTenant(service.db, environment.secrets, {
      gatewayUrl: 'http://127.0.0.1:9/send',
    });
    const ids = await loadMessages(service.db, [tenant], stored, asked);
    const file = path.join(environment.dir, 'ids');
    await writeFile(file, ids.map((id) => `msg_${id}\n`).join(''));
    const urls = { ours: service.apiUrl, constant: constant.apiUrl };
    const rates: Record<keyof typeof urls, number[]> = { ours: [], constant: [] };
    for (let round = 0; round <= rounds; round += 1) {
      for (const name of ['ours', 'constant'] as const) {
        const args = [tenant.key, file];
        const result = await wrk({ url: urls[name], script: 'look-up', args, connections, seconds });
        say(
          `${name} ${Math.round(result.perSecond)}/s, p99 ${Math.round(result.p99Ms)} ms, ${result.bad} bad`,
        );
        if (round > 0) rates[name].push(result.perSecond);
      }
    }
    return [ratio('look-ups', ['look-ups/s', rates.ours], ['a constant', rates.constant], { atLeast: 0.4 })];
  },
};
