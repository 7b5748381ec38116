import { openDb } from '@notify/db/connection';
import { rollUpUsage } from '@notify/db/usage';
import { usageOf } from '../environment/cpu.ts';
import { loadTraffic } from '../environment/past-traffic.ts';
import { startService } from '../environment/service.ts';
import { registerTenant } from '../environment/session.ts';
import { makeLoadTenant, subscribe } from '../environment/tenants.ts';
import { plain } from '../report.ts';
import type { Benchmark } from './benchmark.ts';

const mostMessages = 1_000_000;
const asked = 100;

const questions = {
  'last 24 hours, hourly': '',
  '30 days, daily': '?per=day',
  '30 days, hourly': `?from=${new Date(Date.now() - 30 * 86_400_000).toISOString()}`,
};

/**
 * Postgres' CPU to count messages, events and posts into the figures of `GET /v1/usage`, and the time of that
 * request for a tenant that sent them all.
 */
export const usage: Benchmark = {
  name: 'usage',
  async run(environment, { rows }, say) {
    const count = Math.min(rows, mostMessages);
    await using service = await startService(environment, { workers: [] });
    const { token, tenantId } = await registerTenant(service.apiUrl);
    const options = { gatewayUrl: 'http://127.0.0.1:9/send' };
    const sender = { ...(await makeLoadTenant(service.db, environment.secrets, options)), tenantId };
    const webhookId = await subscribe(service.db, environment.secrets, tenantId, 'https://example.com/');
    await loadTraffic(service.db, sender, webhookId, count);
    const counter = openDb(service.databaseUrl);
    const before = usageOf([environment.postgresPid]).cpuMs;
    const looked = await rollUpUsage(counter);
    const cpuMs = usageOf([environment.postgresPid]).cpuMs - before;
    await counter.destroy();
    say(`${looked} events and posts of ${count} messages counted with ${cpuMs} ms of CPU`);
    const figures = [plain('usage', 'CPU of the count a message', [(cpuMs * 1_000) / count], 'µs')];
    for (const [what, query] of Object.entries(questions)) {
      const tookMs: number[] = [];
      for (let turn = 0; turn < asked; turn += 1)
        tookMs.push(await ask(`${service.apiUrl}/v1/usage${query}`, token));
      figures.push(plain('usage', `GET /v1/usage, ${what}, ${count} messages`, tookMs, 'ms'));
    }
    return figures;
  },
};

/** Time of one answer, in ms. Throws unless the answer holds figures. */
async function ask(url: string, token: string): Promise<number> {
  const began = performance.now();
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const { totals } = (await response.json()) as { totals?: { accepted: number } };
  const tookMs = performance.now() - began;
  if (totals === undefined || totals.accepted === 0) throw new Error(`${url}: ${response.status}`);
  return tookMs;
}
