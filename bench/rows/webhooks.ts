import { once } from 'node:events';
import { mostAtOnce } from '@notify/core';
import { openWaker } from '@notify/queue';
import { addDeliveries, makeTenant } from '@notify/testkit';
import { ratio } from '../report.ts';
import { startSlowReceiver } from '../stand/peers.ts';
import { startProgram } from '../stand/program.ts';
import { startService } from '../stand/service.ts';
import { emptyTables, subscribe } from '../stand/tenants.ts';
import { until } from '../stand/until.ts';
import type { Row } from './row.ts';

const latencyMs = 50;
const webhooks = 8;
/** What they may have in flight. */
const inFlight = mostAtOnce * webhooks;
const addedAtOnce = 500;
/** About what a real event has. */
const bodyBytes = 450;

/** Deliveries a second to a receiver that takes 50 ms, beside bare undici that posts as many bodies with as many at once. */
export const webhookDeliveries: Row = {
  name: 'webhooks',
  async run(ground, sizes, say) {
    await using service = await startService(ground, { workers: [] });
    await using receiver = await startSlowReceiver(latencyMs);
    const count = Math.round(sizes.messages / webhooks) * webhooks;
    const { tenantId } = await makeTenant(service.db);
    const ids: string[] = [];
    for (let index = 0; index < webhooks; index += 1) {
      ids.push(await subscribe(service.db, ground.secrets, tenantId, receiver.url));
    }
    const body = JSON.stringify({ pad: 'x'.repeat(bodyBytes - 10) });
    await service.add('webhook-worker');
    const waker = openWaker({
      redisUrl: ground.redisUrl,
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
      // Put down in small portions, as they come about; the worker begins with the first.
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
      const bareRate = (count * 1_000) / (await postBarely(receiver.url, count));
      say(`ours ${Math.round(rate)}/s, bare undici ${Math.round(bareRate)}/s`);
      if (round > 0) [ours, bare].forEach((list, index) => list.push([rate, bareRate][index]!));
    }
    await waker.close();
    return [ratio('webhooks', ['deliveries/s', ours], ['bare undici', bare], { atLeast: 0.5 })];
  },
};

async function postBarely(url: string, count: number): Promise<number> {
  const args = [url, inFlight, count, bodyBytes];
  const program = await startProgram('contenders/undici-posts.ts', { args, logFile: '/dev/null' });
  program.process.send('go');
  const [{ tookMs }] = (await once(program.process, 'message')) as [{ tookMs: number }];
  return tookMs;
}
