import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { loadMessages } from '../environment/history.ts';
import { startService } from '../environment/service.ts';
import { makeLoadTenant } from '../environment/tenants.ts';
import { wrk } from '../load/wrk.ts';
import { plain } from '../report.ts';
import type { Benchmark } from './benchmark.ts';

const stored = 100_000;
const asked = 20_000;

/** Status look-ups a second at random ids with a checked key. */
export const lookUps: Benchmark = {
  name: 'look-ups',
  needs: ['wrk'],
  async run(environment, { seconds, rounds, connections }, say) {
    await using service = await startService(environment, { workers: [] });
    const tenant = await makeLoadTenant(service.db, environment.secrets, {
      gatewayUrl: 'http://127.0.0.1:9/send',
    });
    const ids = await loadMessages(service.db, [tenant], stored, asked);
    const file = path.join(environment.dir, 'ids');
    await writeFile(file, ids.map((id) => `msg_${id}\n`).join(''));
    const rates: number[] = [];
    for (let round = 0; round <= rounds; round += 1) {
      const args = [tenant.key, file];
      const result = await wrk({ url: service.apiUrl, script: 'look-up', args, connections, seconds });
      say(`${Math.round(result.perSecond)}/s, p99 ${Math.round(result.p99Ms)} ms, ${result.bad} bad`);
      if (round > 0) rates.push(result.perSecond);
    }
    return [plain('look-ups', 'look-ups/s', rates, '/s')];
  },
};
