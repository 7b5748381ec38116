import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { startProvider } from '../environment/peers.ts';
import { type BenchService, startService } from '../environment/service.ts';
import { startNginx } from '../peers/nginx.ts';
import { plain } from '../report.ts';
import type { Benchmark } from './benchmark.ts';
import { sendAll, serviceCpuMs } from './end-to-end.ts';

/** More often than Prometheus usually does. */
const scrapeMs = 5_000;

/**
 * The cost of metrics: CPU of a message, from its send to its last webhook delivery, with metrics that are scraped every 5 s, and
 * without: METRICS=off, and nothing is recorded. Each has processes of its own, and they take turns in pairs, so what else
 * the machine does falls on both.
 */
export const metrics: Benchmark = {
  name: 'metrics',
  needs: ['wrk', 'nginx'],
  async run(environment, sizes, say) {
    await using stack = new AsyncDisposableStack();
    const nginx = await startNginx(environment.dir);
    stack.defer(() => nginx.stop());
    const uncounted = pathToFileURL(path.resolve(import.meta.dirname, '../preload/uncounted.ts')).href;
    const redisUrl = (database: number) => ({ REDIS_URL: `${environment.redisUrl}/${database}` });
    const on = stack.use(await startService(environment, { env: redisUrl(1) }));
    const off = stack.use(
      await startService(environment, { env: { ...redisUrl(2), METRICS: 'off' }, preload: [uncounted] }),
    );
    const scraper = setInterval(() => void scrapeAll(on), scrapeMs);
    stack.defer(() => clearInterval(scraper));
    // A provider keeps connections for reports open, all to one api.
    const services = {
      on: { service: on, provider: stack.use(await startProvider()) },
      off: { service: off, provider: stack.use(await startProvider()) },
    };
    const cpuMs = { on: [] as number[], off: [] as number[] };
    for (let round = 0; round <= sizes.rounds; round += 1) {
      const names = ['on', 'off'] as const;
      for (const name of round % 2 === 0 ? names : names.toReversed()) {
        const { service, provider } = services[name];
        const pass = await sendAll(environment, service, provider, nginx, sizes);
        const ms = serviceCpuMs(pass);
        say(`${name}: ${ms.toFixed(3)} ms a message, ${Math.round(pass.perSecond)}/s`);
        // The first round warms up.
        if (round > 0) cpuMs[name].push(ms);
      }
    }
    const against = cpuMs.on.map((ms, pair) => ms / cpuMs.off[pair]!);
    return [
      plain('metrics', 'CPU a message, without', cpuMs.off, 'ms'),
      plain('metrics', 'CPU with metrics ÷ without', against, '', { atMost: 1.02 }),
    ];
  },
};

async function scrapeAll({ healthUrls }: BenchService): Promise<void> {
  for (const url of healthUrls) await fetch(`${url}/metrics`).then((answer) => answer.text());
}
