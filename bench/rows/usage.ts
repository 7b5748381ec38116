import { openDb } from '@notify/db/connection';
import { rollUpUsage } from '@notify/db/usage';
import { plain } from '../report.ts';
import { usageOf } from '../stand/cpu.ts';
import { loadTraffic } from '../stand/past-traffic.ts';
import { startService } from '../stand/service.ts';
import { makeSender, subscribe } from '../stand/tenants.ts';
import type { Row } from './row.ts';

const mostMessages = 1_000_000;
const asked = 100;

const questions = {
  'the last 24 hours by the hour': '',
  '30 days by the day': '?per=day',
  '30 days by the hour': `?from=${new Date(Date.now() - 30 * 86_400_000).toISOString()}`,
};

/**
 * What it costs Postgres to count messages with all their events and posts into the figures of `GET /v1/usage`, and how
 * long that takes to answer for a tenant who sent them all.
 */
export const usage: Row = {
  name: 'usage',
  async run(ground, { rows }, say) {
    const count = Math.min(rows, mostMessages);
    await using service = await startService(ground, { workers: [] });
    const { token, tenantId } = await register(service.apiUrl);
    const options = { gatewayUrl: 'http://127.0.0.1:9/send' };
    const sender = { ...(await makeSender(service.db, ground.secrets, options)), tenantId };
    const webhookId = await subscribe(service.db, ground.secrets, tenantId, 'https://example.com/');
    await loadTraffic(service.db, sender, webhookId, count);
    const counter = openDb(service.databaseUrl);
    const before = usageOf([ground.postgresPid]).cpuMs;
    const looked = await rollUpUsage(counter);
    const cpuMs = usageOf([ground.postgresPid]).cpuMs - before;
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

async function register(apiUrl: string): Promise<{ token: string; tenantId: string }> {
  const response = await fetch(`${apiUrl}/auth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'Bench', email: 'bench@example.com', password: 'correct horse' }),
  });
  const { data } = (await response.json()) as { data: { accessToken: string; user: { id: string } } };
  return { token: data.accessToken, tenantId: data.user.id.slice('ten_'.length) };
}

/** How long one answer takes, in ms; throws unless it is one. */
async function ask(url: string, token: string): Promise<number> {
  const began = performance.now();
  const response = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
  const { totals } = (await response.json()) as { totals?: { accepted: number } };
  const tookMs = performance.now() - began;
  if (totals === undefined || totals.accepted === 0) throw new Error(`${url}: ${response.status}`);
  return tookMs;
}
