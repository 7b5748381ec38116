import type { Environment } from '../environment/environment.ts';
import { type Provider, startProvider } from '../environment/peers.ts';
import { type BenchService, startService } from '../environment/service.ts';
import { emptyTables, makeLoadTenants } from '../environment/tenants.ts';
import { until } from '../environment/until.ts';
import { watch } from '../environment/watch.ts';
import { wrk } from '../load/wrk.ts';
import { plain } from '../report.ts';
import type { Benchmark, Sizes } from './benchmark.ts';

const senders = 10;
const loadSeconds = 300;

/**
 * CPU of a message without any webhook, from its send to its delivery receipt. The difference from `end-to-end` is the
 * cost of three webhook deliveries, and so the most that cheaper deliveries can save.
 */
export const withoutWebhooks: Benchmark = {
  name: 'without-webhooks',
  needs: ['wrk'],
  async run(environment, sizes, say) {
    await using service = await startService(environment, { workers: ['dispatch-worker'] });
    await using provider = await startProvider();
    const cpuMs: number[] = [];
    const rates: number[] = [];
    for (let round = 0; round <= sizes.rounds; round += 1) {
      const pass = await sendAll(environment, service, provider, sizes);
      const costs = Object.entries(pass.cpuMs).map(([name, ms]) => `${name} ${ms.toFixed(2)}`);
      say(`${Math.round(pass.perSecond)}/s, CPU ms per message: ${costs.join(', ')}`);
      if (round === 0) continue;
      rates.push(pass.perSecond);
      cpuMs.push(Object.values(pass.cpuMs).reduce((sum, ms) => sum + ms, 0));
    }
    return [
      plain('without-webhooks', 'messages/s', rates, '/s'),
      plain('without-webhooks', 'CPU per message, all of ours', cpuMs, 'ms'),
    ];
  },
};

async function sendAll(
  environment: Environment,
  service: BenchService,
  provider: Provider,
  { messages, connections }: Sizes,
): Promise<{ readonly perSecond: number; readonly cpuMs: Readonly<Record<string, number>> }> {
  await emptyTables(service.db);
  const tenants = await makeLoadTenants(service.db, environment.secrets, senders, {
    gatewayUrl: provider.sendUrl,
  });
  await provider.configure({});
  const watching = watch(service.processes);
  const began = performance.now();
  const args = [`w${Date.now()}`, String(messages), ...tenants.map(({ key }) => key)];
  await wrk({ url: service.apiUrl, script: 'send', args, connections, seconds: loadSeconds });
  await until('every receipt', async () => (await countUndelivered(service)) === 0);
  const tookMs = performance.now() - began;
  const accepted = await count(service);
  const cpuMs = Object.entries(watching.end().cpuMs).map(([name, ms]) => [name, ms / accepted]);
  return {
    perSecond: (accepted * 1_000) / tookMs,
    cpuMs: Object.fromEntries(cpuMs) as Record<string, number>,
  };
}

async function count({ db }: BenchService): Promise<number> {
  const { messages } = await db
    .selectFrom('messages')
    .select(({ fn }) => fn.countAll<string>().as('messages'))
    .executeTakeFirstOrThrow();
  return Number(messages);
}

async function countUndelivered({ db }: BenchService): Promise<number> {
  const { waiting } = await db
    .selectFrom('messages')
    .select(({ fn }) => fn.countAll<string>().as('waiting'))
    .where('status', '!=', 'delivered')
    .executeTakeFirstOrThrow();
  return Number(waiting);
}
