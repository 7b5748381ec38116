import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Environment } from '../environment/environment.ts';
import { loadMessages } from '../environment/history.ts';
import { startProvider } from '../environment/peers.ts';
import { type BenchService, startService } from '../environment/service.ts';
import { emptyTables, makeLoadTenants, type LoadTenant } from '../environment/tenants.ts';
import { watch } from '../environment/watch.ts';
import { wrk } from '../load/wrk.ts';
import { startNginx } from '../peers/nginx.ts';
import { type Figure, ratio } from '../report.ts';
import type { Benchmark, Sizes } from './benchmark.ts';
import { sendAs, serviceCpuMs } from './end-to-end.ts';

const senders = 10;
const few = 10_000;
const asked = 20_000;

/**
 * CPU of a message in all our processes and servers, from its send to its last webhook, with many rows in `messages`
 * beside few rows; and CPU of a look-up of an old message. Both take turns in one database, so every round loads the
 * rows anew.
 */
export const growth: Benchmark = {
  name: 'growth',
  needs: ['wrk', 'nginx'],
  async run(environment, sizes, say) {
    await using service = await startService(environment);
    await using provider = await startProvider();
    const nginx = await startNginx(environment.dir);
    const sends: Costs = { few: [], many: [] };
    const lookUps: Costs = { few: [], many: [] };
    try {
      const options = { gatewayUrl: provider.sendUrl, webhookUrl: nginx.url };
      const tenants = await makeLoadTenants(service.db, environment.secrets, senders, options);
      await sendAs(tenants, service, provider, nginx, sizes);
      for (let round = 0; round < Math.min(2, sizes.rounds); round += 1) {
        for (const [name, count] of [
          ['few', few],
          ['many', sizes.rows],
        ] as const) {
          await emptyTables(service.db);
          const ids = await loadMessages(service.db, tenants, count, asked);
          const cost = serviceCpuMs(await sendAs(tenants, service, provider, nginx, sizes));
          const lookUpCost = await lookUpCpuMs(environment, service, tenants[0]!, ids, sizes);
          say(`${count} rows: ${cost.toFixed(2)} ms a message, ${lookUpCost.toFixed(3)} a look-up`);
          sends[name].push(cost);
          lookUps[name].push(lookUpCost);
        }
      }
    } finally {
      await nginx.stop();
    }
    return [figureOf('message', sends, sizes), figureOf('look-up', lookUps, sizes)];
  },
};

type Costs = Record<'few' | 'many', number[]>;

function figureOf(what: string, costs: Costs, { rows }: Sizes): Figure {
  const over = [`CPU a ${what} with ${rows} rows, ms`, costs.many] as const;
  return ratio('growth', over, [`with ${few}`, costs.few], { atMost: 1.1 });
}

async function lookUpCpuMs(
  environment: Environment,
  { apiUrl, processes }: BenchService,
  { key }: LoadTenant,
  ids: readonly string[],
  { connections, seconds }: Sizes,
): Promise<number> {
  const file = path.join(environment.dir, 'ids');
  await writeFile(file, ids.map((id) => `msg_${id}\n`).join(''));
  const watching = watch(processes);
  const { good } = await wrk({ url: apiUrl, script: 'look-up', args: [key, file], connections, seconds });
  const cpuMs = Object.values(watching.end().cpuMs).reduce((sum, ms) => sum + ms, 0);
  return cpuMs / good;
}
