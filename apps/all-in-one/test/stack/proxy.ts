import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { demandProgram, endWithUs, freePort, until } from '@notify/testkit';
import { type NameServer, startNameServer } from './name-server.ts';

const configuration = path.resolve(import.meta.dirname, '../../../../ops/haproxy/haproxy.cfg');

/** HAProxy with the configuration of docker-compose.yml. */
export interface Proxy extends AsyncDisposable {
  readonly url: string;
  /** With certificates. */
  readonly tlsUrl: string;
  /** The port at which it expects every replica. */
  readonly apiPort: number;
  /** The name `api`, of which it has the addresses of the replicas. */
  readonly names: NameServer;
  /** What it has logged. */
  readonly lines: readonly string[];
  /** Resolves when it chooses among so many replicas. */
  has(replicas: number): Promise<void>;
}

/** Starts it on free ports. `certificates` is a file or a folder. */
export async function startProxy(certificates: string | null = null): Promise<Proxy> {
  const names = await startNameServer('api');
  const [port, tlsPort, apiPort] = [await freePort(), await freePort(), await freePort()];
  const env = {
    DNS: names.address,
    BIND: `127.0.0.1:${port}`,
    BIND_TLS: `127.0.0.1:${tlsPort}`,
    API_PORT: String(apiPort),
    ...(certificates === null ? {} : { CERTIFICATES: certificates }),
  };
  const child = spawn(demandProgram('haproxy'), ['-db', '-f', configuration], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithUs(child);
  const lines: string[] = [];
  for (const output of [child.stdout, child.stderr])
    createInterface({ input: output }).on('line', (line) => lines.push(line));
  const url = `http://127.0.0.1:${port}`;
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`haproxy ended:\n${lines.join('\n')}`);
    return fetch(url, { redirect: 'manual' }).then(
      () => true,
      () => false,
    );
  });
  return {
    url,
    tlsUrl: `https://127.0.0.1:${tlsPort}`,
    apiPort,
    names,
    lines,
    has: (replicas) => until(async () => readyIn(lines).size === replicas),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await names[Symbol.asyncDispose]();
    },
  };
}

/** The servers that are up, by the lines that HAProxy writes when one changes. */
function readyIn(lines: readonly string[]): ReadonlySet<string> {
  const ready = new Set<string>();
  for (const line of lines) {
    const [, server = '', state] = /^Server (api\/api-\d+) .*?is (UP|DOWN|going DOWN)/.exec(line) ?? [];
    if (state === 'UP') ready.add(server);
    else if (state !== undefined) ready.delete(server);
  }
  return ready;
}
