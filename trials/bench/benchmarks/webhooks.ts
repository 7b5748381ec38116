import { once } from 'node:events';
import { mostAtOnce } from '@notify/core';
import { openWaker } from '@notify/queue';
import { addDeliveries, makeTenant } from '@notify/testkit';
import { startSlowReceiver } from '../environment/peers.ts';
import { startProgram } from '../environment/program.ts';
import { startService } from '../environment/service.ts';
import { emptyTables, subscribe } from '../environment/tenants.ts';
import { until } from '../environment/until.ts';
import { ratio } from '../report.ts';
import type { Benchmark } from './benchmark.ts';

const latencyMs = 50;
const webhooks = 8;
/** Posts in flight that these webhooks may have. */
const inFlight = mostAtOnce * webhooks;
const addedAtOnce = 500;
/** About the size of a real event. */
const bodyBytes = 450;

/**
 * Deliveries a second to a receiver with 50 ms latency, beside bare undici with as many bodies and as many posts in
 * flight.
 */
export const webhookDeliveries: Benchmark = {
  name: 'webhooks',
  async run(environment, sizes, say) {
    await using service = await startService(environment, { workers: [] });
    await using receiver = await startSlowReceiver(latencyMs);
    const count = Math.round(sizes.messages / webhooks) * webhooks;
    const { tenantId } = await makeTenant(service.db);
    const ids: string[] = [];
    for (let index = 0; index < webhooks; index += 1) {
      ids.push(await subscribe(service.db, environment.secrets, tenantId, receiver.url));
    }
    const body = JSON.stringify({ pad: 'x'.repeat(bodyBytes - 10) });
    await service.add('webhook-worker');
    const waker = openWaker({
      redisUrl: environment.redisUrl,
      databaseUrl: service.databaseUrl,
      partitions: 1,
      onError: () => undefined,
    });
    const ours: number[] = [];
    const bare: number[] = [];
    for (let round = 0; round <= sizes.rounds; round += 1) {
      await emptyTables(service.db);
      const before = await receiver.answered();
      const began = performance.now();
      // Stored in small portions, as events come in production; the worker begins with the first.
      for (let each = 0; each < count / webhooks; each += addedAtOnce) {
        const portion = Math.min(addedAtOnce, count / webhooks - each);
        await Promise.all(ids.map((id) => addDeliveries(service.db, id, portion, () => body)));
        await waker.wakeMany(
          'webhooks',
          ids.map((id) => ({ lane: 'fast', id })),
        );
      }
      await until('every delivery', async () => (await receiver.answered()) - before >= count);
      const rate = (count * 1_000) / (performance.now() - began);
      const bareRate = (count * 1_000) / (await postWithUndici(receiver.url, count));
      say(`ours ${Math.round(rate)}/s, bare undici ${Math.round(bareRate)}/s`);
      if (round > 0) [ours, bare].forEach((list, index) => list.push([rate, bareRate][index]!));
    }
    await waker.close();
    return [ratio('webhooks', ['deliveries/s', ours], ['bare undici', bare], { atLeast: 0.5 })];
  },
};

async function postWithUndici(url: string, count: number): Promise<number> {
  const args = [url, inFlight, count, bodyBytes];
  const program = await startProgram('baselines/undici-posts.ts', { args });
  program.process.send('go');
  const [{ tookMs }] = (await once(program.process, 'message')) as [{ tookMs: number }];
  return tookMs;
}
