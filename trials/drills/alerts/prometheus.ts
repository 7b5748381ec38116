import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { startPrometheus } from '@notify/testkit';
import { shortenWindows } from './shorten.ts';

/** An alert that fires now. */
export interface FiringAlert {
  readonly name: string;
  readonly severity: string;
  /** All its labels, as one text. */
  readonly labels: string;
}

/** A Prometheus that evaluates our rules. */
export interface AlertingPrometheus extends AsyncDisposable {
  readonly url: string;
  firing(): Promise<readonly FiringAlert[]>;
}

export interface AlertingOptions {
  /** A folder for its files. */
  readonly folder: string;
  /** `host:port` of every process. */
  readonly targets: readonly string[];
  /** What the windows of the rules are divided by. */
  readonly divisor: number;
}

const rulesFile = path.resolve(import.meta.dirname, '../../../ops/prometheus/rules.yml');

interface Alerts {
  readonly alerts: readonly { readonly labels: Record<string, string>; readonly state: string }[];
}

/** Starts a Prometheus that scrapes every process and evaluates the shortened rules each second. */
export async function startAlerting({
  folder,
  targets,
  divisor,
}: AlertingOptions): Promise<AlertingPrometheus> {
  await mkdir(folder, { recursive: true });
  await writeFile(path.join(folder, 'rules.yml'), shortenWindows(await readFile(rulesFile, 'utf8'), divisor));
  // By default a series without new samples is still seen for 5 minutes.
  const flags = { 'query.lookback-delta': '5s' };
  const prometheus = await startPrometheus({ folder, configuration: configurationOf(targets), flags });
  return {
    url: prometheus.url,
    async firing() {
      const { alerts } = await prometheus.ask<Alerts>('alerts');
      return alerts.filter(({ state }) => state === 'firing').map(({ labels }) => toFiring(labels));
    },
    [Symbol.asyncDispose]: () => prometheus[Symbol.asyncDispose](),
  };
}

function configurationOf(targets: readonly string[]): string {
  return `global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
rule_files: [rules.yml]
scrape_configs:
  - job_name: notify
    static_configs: [{ targets: ${JSON.stringify(targets)} }]
`;
}

function toFiring({ alertname = '', severity = '', ...labels }: Record<string, string>): FiringAlert {
  return { name: alertname, severity, labels: JSON.stringify(labels) };
}
