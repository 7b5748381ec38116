import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { endWithUs, freePort } from '@notify/testkit';
import { shortenWindows } from './shorten.ts';

/** An alert that fires now. */
export interface FiringAlert {
  readonly name: string;
  readonly severity: string;
  /** All its labels, as one text. */
  readonly labels: string;
}

/** A Prometheus of our own on loopback. */
export interface Prometheus {
  readonly url: string;
  firing(): Promise<readonly FiringAlert[]>;
  stop(): Promise<void>;
}

export interface PrometheusOptions {
  /** A folder for its files. */
  readonly folder: string;
  /** `host:port` of every process. */
  readonly targets: readonly string[];
  /** What the windows of the rules are divided by. */
  readonly divisor: number;
}

const rulesFile = path.resolve(import.meta.dirname, '../../ops/prometheus/rules.yml');
const startWithinMs = 30_000;

interface AlertsAnswer {
  readonly data: {
    readonly alerts: readonly { readonly labels: Record<string, string>; readonly state: string }[];
  };
}

/**
 * Starts Debian's `prometheus`. It scrapes every process and evaluates the shortened rules each second. Resolves when
 * it is ready.
 */
export async function startPrometheus({ folder, targets, divisor }: PrometheusOptions): Promise<Prometheus> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'rules.yml'), shortenWindows(await readFile(rulesFile, 'utf8'), divisor));
  await writeFile(path.join(folder, 'prometheus.yml'), configuration(targets));
  const url = `http://127.0.0.1:${await freePort()}`;
  const flags = {
    'config.file': path.join(folder, 'prometheus.yml'),
    'storage.tsdb.path': path.join(folder, 'data'),
    'web.listen-address': new URL(url).host,
    // By default a series without new samples is still seen for 5 minutes.
    'query.lookback-delta': '5s',
    'log.level': 'error',
  };
  const child = spawn(
    'prometheus',
    Object.entries(flags).map(([name, value]) => `--${name}=${value}`),
    {
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  endWithUs(child);
  await untilReady(url, child);
  return {
    url,
    async firing() {
      const answer = await fetch(`${url}/api/v1/alerts`);
      const { data } = (await answer.json()) as AlertsAnswer;
      return data.alerts.filter(({ state }) => state === 'firing').map(({ labels }) => toFiring(labels));
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

function configuration(targets: readonly string[]): string {
  return `global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
rule_files: [rules.yml]
scrape_configs:
  - job_name: notify
    static_configs: [{ targets: ${JSON.stringify(targets)} }]
`;
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  let failure: unknown = null;
  child.once('error', (error) => (failure = error));
  for (const deadline = performance.now() + startWithinMs; performance.now() < deadline;) {
    if (failure !== null) throw new Error('prometheus cannot be started: install it', { cause: failure });
    if (child.exitCode !== null) throw new Error(`prometheus ended with ${child.exitCode}`);
    const answer = await fetch(`${url}/-/ready`).catch(() => null);
    if (answer?.ok) return;
    await wait(100);
  }
  throw new Error('prometheus did not get ready');
}

function toFiring({ alertname = '', severity = '', ...labels }: Record<string, string>): FiringAlert {
  return { name: alertname, severity, labels: JSON.stringify(labels) };
}
