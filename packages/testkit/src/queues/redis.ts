import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@notify/embedded';
import { endWithUs } from '../processes/end-with-us.ts';
import { redisBinary } from './redis-binary.ts';

export interface RunningRedis {
  readonly url: string;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

/**
 * Starts a Redis server of our own on a free port, with AOF and noeviction as in production. It ends with this process.
 */
export async function startRedis(port?: number): Promise<RunningRedis> {
  const listen = port ?? (await freePort());
  const dir = await mkdtemp(path.join(tmpdir(), 'notify-redis-'));
  const server = await openRedis(listen, dir);
  return {
    url: `redis://127.0.0.1:${listen}`,
    process: server,
    async stop() {
      await end(server);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

/** A separate Redis server for a test, which may stop it and start it again, with or without its data. */
export interface OwnRedis {
  readonly url: string;
  /** Stops it; with SIGKILL it loses the data it has not written yet. */
  stop(how?: 'SIGTERM' | 'SIGKILL'): Promise<void>;
  start(how?: { readonly empty: boolean }): Promise<void>;
  /** Stops it for good and removes its files. */
  remove(): Promise<void>;
}

/** Starts a Redis server like `startRedis`, for a test that stops it. */
export async function startOwnRedis(): Promise<OwnRedis> {
  const port = await freePort();
  const dir = await mkdtemp(path.join(tmpdir(), 'notify-own-redis-'));
  let server = await openRedis(port, dir);
  return {
    url: `redis://127.0.0.1:${port}`,
    stop: (how) => end(server, how),
    async start({ empty } = { empty: false }) {
      if (empty) await rm(path.join(dir, 'appendonlydir'), { recursive: true, force: true });
      server = await openRedis(port, dir);
    },
    async remove() {
      await end(server);
      await rm(dir, { recursive: true, force: true });
    },
  };
}

async function openRedis(port: number, dir: string): Promise<ChildProcess> {
  const { program, env } = await redisBinary();
  const persistence = ['--appendonly', 'yes', '--maxmemory-policy', 'noeviction', '--save', ''];
  const server = spawn(program, ['--port', String(port), '--dir', dir, ...persistence], {
    stdio: 'ignore',
    env,
  });
  endWithUs(server);
  await untilListening(port, server);
  return server;
}

async function end(server: ChildProcess, how: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<void> {
  if (server.exitCode !== null || server.signalCode !== null) return;
  server.kill(how);
  await once(server, 'exit');
}

async function untilListening(port: number, server: ChildProcess): Promise<void> {
  const deadline = Date.now() + 60_000;
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
