import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPrometheus } from '@notify/testkit';
import { parse, stringify } from 'yaml';

const ours = path.resolve(import.meta.dirname, '../../ops/prometheus');

interface Configuration {
  global: Record<string, string>;
  rule_files: string[];
  scrape_configs: {
    job_name: string;
    authorization: { credentials_file: string };
    static_configs: { targets: string[] }[];
  }[];
}

/** A Prometheus on loopback that watches a running service. */
export interface WatchingPrometheus extends AsyncDisposable {
  /** The series that an expression returned in the time from `since` on, in s of the epoch. Rejects with its error. */
  query(expr: string, since: number): Promise<readonly (readonly number[])[]>;
  /** The targets that cannot be read, each with the reason. */
  unreadable(): Promise<string[]>;
}

/**
 * Starts Prometheus with our configuration and rules. Only the places differ: it reads `targets` instead of the names of
 * Compose's services, every second, and the token stands in another file.
 */
export async function watchTargets(targets: readonly string[], token: string): Promise<WatchingPrometheus> {
  await using starting = new AsyncDisposableStack();
  const folder = await mkdtemp(path.join(tmpdir(), 'notify-prometheus-'));
  starting.defer(() => rm(folder, { recursive: true, force: true }));
  const tokenFile = path.join(folder, 'token');
  await writeFile(tokenFile, token);
  const configuration = stringify(await configurationOf(targets, tokenFile));
  const prometheus = starting.use(await startPrometheus({ folder, configuration }));
  const all = starting.move();
  return {
    async query(expr, since) {
      const form = { query: expr, start: String(since), end: String(Date.now() / 1_000), step: '1' };
      const { result } = await prometheus.ask<{ result: { values: [number, string][] }[] }>(
        'query_range',
        form,
      );
      return result.map(({ values }) => values.map(([, value]) => Number(value)));
    },
    async unreadable() {
      const { activeTargets } = await prometheus.ask<{
        activeTargets: { scrapeUrl: string; health: string; lastError: string }[];
      }>('targets');
      return activeTargets
        .filter(({ health }) => health !== 'up')
        .map(({ scrapeUrl, health, lastError }) => `${scrapeUrl} is ${health}: ${lastError}`);
    },
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  };
}

async function configurationOf(targets: readonly string[], tokenFile: string): Promise<Configuration> {
  const written = parse(await readFile(path.join(ours, 'prometheus.yml'), 'utf8')) as Configuration;
  return {
    ...written,
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: written.rule_files.map((name) => path.join(ours, name)),
    scrape_configs: written.scrape_configs.map(({ job_name, authorization }) => ({
      job_name,
      authorization: { ...authorization, credentials_file: tokenFile },
      static_configs: [{ targets: [...targets] }],
    })),
  };
}
