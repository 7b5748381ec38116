import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from './ports.ts';
import { redisBinary } from './redis-binary.ts';

export interface RunningRedis {
  readonly url: string;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/** Starts a Redis server of our own on a free port, with AOF and noeviction as production has it. */
export async function startRedis(port?: number): Promise<RunningRedis> {
  const listen = port ?? (await freePort());
  const dir = await mkdtemp(path.join(tmpdir(), 'notify-redis-'));
  const { program, env } = await redisBinary();
  const server = spawn(
    program,
    [
      '--port',
      String(listen),
      '--dir',
      dir,
      '--appendonly',
      'yes',
      '--maxmemory-policy',
      'noeviction',
      '--save',
      '',
    ],
    { stdio: 'ignore', env },
  );
  await untilListening(listen, server);
  return {
    url: `redis://127.0.0.1:${listen}`,
    process: server,
    async stop() {
      if (server.exitCode === null && server.signalCode === null) {
        server.kill('SIGTERM');
        await once(server, 'exit');
      }
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function untilListening(port: number, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (Date.now() < deadline) {
    if (server.exitCode !== null) throw new Error(`redis-server ended with ${server.exitCode}`);
    const open = await new Promise<boolean>((resolve) => {
      const socket = createConnection({ port, host: '127.0.0.1' }, () => {
        socket.destroy();
        resolve(true);
      });
      socket.on('error', () => resolve(false));
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error('redis-server did not start');
}
