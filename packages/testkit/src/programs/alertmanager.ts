import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '@notify/embedded';
import { endWithUs } from '../processes/end-with-us.ts';
import { scrape } from '../scrape.ts';
import { until } from '../until.ts';
import { demandProgram } from './programs.ts';

/** An alert as Prometheus posts it (https://prometheus.io/docs/alerting/latest/clients/). */
export interface PostedAlert {
  readonly labels: Readonly<Record<string, string>>;
  readonly annotations?: Readonly<Record<string, string>>;
  readonly startsAt: string;
  /** If it is over: resolved. */
  readonly endsAt?: string;
}

/** An Alertmanager of our own on loopback, of Debian's package `prometheus-alertmanager`. */
export interface RunningAlertmanager extends AsyncDisposable {
  post(...alerts: readonly PostedAlert[]): Promise<void>;
  /** How many requests to webhooks it has made so far, and how many of them failed. */
  notified(): Promise<{ readonly requests: number; readonly failed: number }>;
}

export interface AlertmanagerOptions {
  /** A folder for its files. It is made, and stays. */
  readonly folder: string;
  /** The text of its configuration. It may name files in the folder. */
  readonly configuration: string;
}

/** Starts Alertmanager on a free port, without a cluster. Resolves when it is ready. */
export async function startAlertmanager({
  folder,
  configuration,
}: AlertmanagerOptions): Promise<RunningAlertmanager> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, 'alertmanager.yml');
  await writeFile(file, configuration);
  const url = `http://127.0.0.1:${await freePort()}`;
  const all = {
    'config.file': file,
    'storage.path': path.join(folder, 'data'),
    'web.listen-address': new URL(url).host,
    'cluster.listen-address': '',
    'log.level': 'error',
  };
  const args = Object.entries(all).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(demandProgram('prometheus-alertmanager'), args, {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  endWithUs(child);
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`alertmanager ended with ${child.exitCode}`);
    return (await fetch(`${url}/-/ready`).catch(() => null))?.ok === true;
  });
  return {
    async post(...alerts) {
      const headers = { 'Content-Type': 'application/json' };
      const init = { method: 'POST', headers, body: JSON.stringify(alerts) };
      const answer = await fetch(`${url}/api/v2/alerts`, init);
      if (!answer.ok) throw new Error(`alertmanager answers ${answer.status}: ${await answer.text()}`);
    },
    async notified() {
      const { sum } = await scrape(url);
      const webhook = { integration: 'webhook' };
      return {
        requests: sum('alertmanager_notification_requests_total', webhook),
        failed: sum('alertmanager_notification_requests_failed_total', webhook),
      };
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
