import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { wrk } from '../load/wrk.ts';
import { startNginx } from '../peers/nginx.ts';
import { type Figure, ratio } from '../report.ts';
import type { Ground } from '../stand/ground.ts';
import { loadMessages } from '../stand/history.ts';
import { startProvider } from '../stand/peers.ts';
import { type BenchService, startService } from '../stand/service.ts';
import { emptyTables, makeSenders, type Sender } from '../stand/tenants.ts';
import { watch } from '../stand/watch.ts';
import { sendAs, serviceCpuMs } from './end-to-end.ts';
import type { Row, Sizes } from './row.ts';

const senders = 10;
const few = 10_000;
const asked = 20_000;

/**
 * What a message costs, in CPU of all our processes and servers from its send to its last webhook, with many rows in
 * `messages` and with few; and what a look-up of an old one costs. The two take turns in one database, so the many are
 * loaded anew in every round.
 */
export const growth: Row = {
  name: 'growth',
  async run(ground, sizes, say) {
    await using service = await startService(ground);
    await using provider = await startProvider();
    const nginx = await startNginx(ground.dir);
    const sends: Costs = { few: [], many: [] };
    const lookUps: Costs = { few: [], many: [] };
    try {
      const options = { gatewayUrl: provider.sendUrl, webhookUrl: nginx.url };
      const tenants = await makeSenders(service.db, ground.secrets, senders, options);
      await sendAs(tenants, service, provider, nginx, sizes);
      for (let round = 0; round < Math.min(2, sizes.rounds); round += 1) {
        for (const [name, count] of [
          ['few', few],
          ['many', sizes.rows],
        ] as const) {
          await emptyTables(service.db);
          const ids = await loadMessages(service.db, tenants, count, asked);
          const cost = serviceCpuMs(await sendAs(tenants, service, provider, nginx, sizes));
          const lookUpCost = await lookUpCpuMs(ground, service, tenants[0]!, ids, sizes);
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
  return ratio('growth', over, [`with ${few}`, costs.few], { atMost: 1.2 });
}

async function lookUpCpuMs(
  ground: Ground,
  { apiUrl, processes }: BenchService,
  { key }: Sender,
  ids: readonly string[],
  { connections, seconds }: Sizes,
): Promise<number> {
  const file = path.join(ground.dir, 'ids');
  await writeFile(file, ids.map((id) => `msg_${id}\n`).join(''));
  const watching = watch(processes);
  const { good } = await wrk({ url: apiUrl, script: 'look-up', args: [key, file], connections, seconds });
  const cpuMs = Object.values(watching.end().cpuMs).reduce((sum, ms) => sum + ms, 0);
  return cpuMs / good;
}
