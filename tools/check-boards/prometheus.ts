import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { endWithUs, freePort, until } from '@notify/testkit';
import { parse, stringify } from 'yaml';

const folder = path.resolve(import.meta.dirname, '../../ops/prometheus');

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
export interface Prometheus {
  /** The series that an expression returned in the time from `since` on, in s of the epoch. Rejects with its error. */
  query(expr: string, since: number): Promise<readonly (readonly number[])[]>;
  /** The targets that cannot be read, each with the reason. */
  unreadable(): Promise<string[]>;
  stop(): Promise<void>;
}

/**
 * Starts Prometheus with our configuration and rules. Only the places differ: it reads `targets` instead of the names of
 * Compose's services, every second, and the token stands in another file.
 */
export async function startPrometheus(targets: readonly string[], token: string): Promise<Prometheus> {
  const data = await mkdtemp(path.join(tmpdir(), 'notify-prometheus-'));
  const tokenFile = path.join(data, 'token');
  await writeFile(tokenFile, token);
  const file = path.join(data, 'prometheus.yml');
  await writeFile(file, stringify(await configuration(targets, tokenFile)));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawn(
    'prometheus',
    [
      `--config.file=${file}`,
      `--storage.tsdb.path=${path.join(data, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=warn',
    ],
    { stdio: ['ignore', 'ignore', 'inherit'] },
  );
  await once(child, 'spawn');
  endWithUs(child);
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`prometheus ended with ${child.exitCode}`);
    return (await fetch(`${url}/-/ready`).catch(() => null))?.ok === true;
  });
  return {
    async query(expr, since) {
      const form = { query: expr, start: String(since), end: String(Date.now() / 1_000), step: '1' };
      const { result } = await ask<{ result: { values: [number, string][] }[] }>(url, 'query_range', form);
      return result.map(({ values }) => values.map(([, value]) => Number(value)));
    },
    async unreadable() {
      const { activeTargets } = await ask<{
        activeTargets: { scrapeUrl: string; health: string; lastError: string }[];
      }>(url, 'targets');
      return activeTargets
        .filter(({ health }) => health !== 'up')
        .map(({ scrapeUrl, health, lastError }) => `${scrapeUrl} is ${health}: ${lastError}`);
    },
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGTERM');
        await once(child, 'exit');
      }
      await rm(data, { recursive: true, force: true });
    },
  };
}

async function configuration(targets: readonly string[], tokenFile: string): Promise<Configuration> {
  const ours = parse(await readFile(path.join(folder, 'prometheus.yml'), 'utf8')) as Configuration;
  return {
    ...ours,
    global: { scrape_interval: '1s', scrape_timeout: '1s', evaluation_interval: '1s' },
    rule_files: ours.rule_files.map((name) => path.join(folder, name)),
    scrape_configs: ours.scrape_configs.map(({ job_name, authorization }) => ({
      job_name,
      authorization: { ...authorization, credentials_file: tokenFile },
      static_configs: [{ targets: [...targets] }],
    })),
  };
}

/** Asks the HTTP API (https://prometheus.io/docs/prometheus/latest/querying/api/). */
async function ask<Data>(
  url: string,
  what: string,
  form: Record<string, string> | null = null,
): Promise<Data> {
  const answer = await fetch(
    `${url}/api/v1/${what}`,
    form === null ? {} : { method: 'POST', body: new URLSearchParams(form) },
  );
  const { status, error, data } = (await answer.json()) as { status: string; error?: string; data: Data };
  if (status !== 'success') throw new Error(error);
  return data;
}
