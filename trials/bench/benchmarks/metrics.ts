import { pathToFileURL } from 'node:url';
import path from 'node:path';
import { sideBySide } from './side-by-side.ts';
import { plain } from '../report.ts';
import type { Benchmark } from './benchmark.ts';

/**
 * The cost of metrics: CPU of a message, from its send to its last webhook delivery, with metrics that are scraped more often
 * than Prometheus usually does, beside a service without: METRICS=off, and nothing is recorded.
 */
export const metrics: Benchmark = {
  name: 'metrics',
  needs: ['wrk', 'nginx'],
  async run(environment, sizes, say) {
    const uncounted = pathToFileURL(path.resolve(import.meta.dirname, '../preload/uncounted.ts')).href;
    const sides = [
      { name: 'without', options: { env: { METRICS: 'off' }, preload: [uncounted] } },
      { name: 'with metrics', options: {}, meanwhile: scrapeAll },
    ] as const;
    const pairs = await sideBySide(environment, sides, sizes, say);
    return [
      plain(
        'metrics',
        'CPU a message, without',
        pairs.map(([off]) => off),
        'ms',
      ),
      plain(
        'metrics',
        'CPU with metrics ÷ without',
        pairs.map(([off, on]) => on / off),
        '',
        { atMost: 1.02 },
      ),
    ];
  },
};

async function scrapeAll(healthUrls: readonly string[]): Promise<void> {
  for (const url of healthUrls) await fetch(`${url}/metrics`).then((answer) => answer.text());
}
