import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { freePort } from '@notify/embedded';
import { endWithUs } from '../processes/end-with-us.ts';
import { until } from '../until.ts';
import { demandProgram } from './programs.ts';

/** A Prometheus of our own on loopback, of Debian's package `prometheus`. */
export interface RunningPrometheus extends AsyncDisposable {
  readonly url: string;
  /**
   * What the HTTP API answers (https://prometheus.io/docs/prometheus/latest/querying/api/); a form is posted. Rejects with its
   * error.
   */
  ask<Data>(what: string, form?: Readonly<Record<string, string>>): Promise<Data>;
}

export interface PrometheusOptions {
  /** A folder for its files. It is made, and stays. */
  readonly folder: string;
  /** The text of its configuration. It may name files in the folder. */
  readonly configuration: string;
  readonly flags?: Readonly<Record<string, string>>;
}

/** Starts Prometheus on a free port. Resolves when it is ready. */
export async function startPrometheus({
  folder,
  configuration,
  flags = {},
}: PrometheusOptions): Promise<RunningPrometheus> {
  await mkdir(folder, { recursive: true });
  const file = path.join(folder, 'prometheus.yml');
  await writeFile(file, configuration);
  const url = `http://127.0.0.1:${await freePort()}`;
  const all = {
    'config.file': file,
    'storage.tsdb.path': path.join(folder, 'data'),
    'web.listen-address': new URL(url).host,
    'log.level': 'error',
    ...flags,
  };
  const args = Object.entries(all).map(([name, value]) => `--${name}=${value}`);
  const child = spawn(demandProgram('prometheus'), args, { stdio: ['ignore', 'ignore', 'inherit'] });
  endWithUs(child);
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`prometheus ended with ${child.exitCode}`);
    return (await fetch(`${url}/-/ready`).catch(() => null))?.ok === true;
  });
  return {
    url,
    async ask<Data>(what: string, form?: Readonly<Record<string, string>>) {
      const init = form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) };
      const answer = await fetch(`${url}/api/v1/${what}`, init);
      const { status, error, data } = (await answer.json()) as { status: string; error?: string; data: Data };
      if (status !== 'success') throw new Error(error);
      return data;
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}
