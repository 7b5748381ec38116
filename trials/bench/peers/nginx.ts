import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { endWithUs, freePort } from '@notify/testkit';

/** A neutral receiver: nginx answers 204 to every request and logs the time. */
export interface NginxReceiver {
  readonly url: string;
  readonly pids: readonly number[];
  /** Requests answered since the last `empty()`. */
  count(): Promise<number>;
  /** Time of the last of them, in ms since 1970; NaN where there was none. */
  lastAt(): Promise<number>;
  empty(): Promise<void>;
  stop(): Promise<void>;
}

/** A line of the log: `1700000000.123` and a line end. */
const lineBytes = 15;

/** Starts nginx in a folder. Throws where Debian's package nginx is not installed. */
export async function startNginx(dir: string): Promise<NginxReceiver> {
  const port = await freePort();
  const config = path.join(dir, 'nginx.conf');
  const log = path.join(dir, 'received.log');
  await writeFile(config, configuration(dir, log, port));
  await writeFile(log, '');
  const child = spawn('nginx', ['-p', dir, '-c', config, '-e', path.join(dir, 'nginx-error.log')], {
    stdio: 'ignore',
  });
  endWithUs(child);
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (cause) => reject(new Error("install Debian's package nginx", { cause })));
  });
  const url = `http://127.0.0.1:${port}/`;
  while ((await fetch(url).catch(() => null))?.status !== 204) await wait(20);
  const size = async (): Promise<number> => (await stat(log)).size;
  let skipped = 0;
  return {
    url,
    pids: [child.pid!],
    count: async () => ((await size()) - skipped) / lineBytes,
    async lastAt() {
      const text = await readFile(log, 'utf8');
      return text.length <= skipped ? NaN : Number(text.slice(-lineBytes)) * 1_000;
    },
    async empty() {
      // nginx still buffers lines of earlier requests.
      await wait(2 * flushMs);
      skipped = await size();
    },
    async stop() {
      if (child.exitCode !== null) return;
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

const flushMs = 100;

function configuration(dir: string, log: string, port: number): string {
  const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `
daemon off;
master_process off;
worker_processes 1;
pid ${dir}/nginx.pid;
events { worker_connections 4096; }
http {
  ${folders.map((name) => `${name}_temp_path ${dir}/${name};`).join(' ')}
  log_format moment '$msec';
  access_log ${log} moment buffer=64k flush=${flushMs}ms;
  keepalive_requests 100000000;
  keepalive_timeout 300s;
  server { listen 127.0.0.1:${port}; location / { return 204; } }
}
`;
}
