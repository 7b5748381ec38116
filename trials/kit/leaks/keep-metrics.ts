import { appendFile } from 'node:fs/promises';
import path from 'node:path';
import { scrape } from '@notify/testkit';
import type { Supervised } from '../system/supervised.ts';

/**
 * Keeps the metrics of every process beside the logs, so that they are searched too. Returns how many processes
 * answered: one that has just been killed does not.
 */
export async function keepMetrics(processes: readonly Supervised[], folder: string): Promise<number> {
  const texts = await Promise.all(
    processes.map(async ({ name, healthUrl }) => {
      const scraped = await scrape(healthUrl).catch(() => null);
      if (scraped !== null) await appendFile(path.join(folder, `metrics-of-${name}.txt`), scraped.text);
      return scraped?.text ?? '';
    }),
  );
  return texts.filter((text) => text !== '').length;
}
