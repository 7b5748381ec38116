import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '@notify/embedded';
import { Redis } from 'ioredis';
import { hasEnded } from '../../processes/child.ts';
import { endWithUs } from '../../processes/end-with-us.ts';
import { until } from '../../until.ts';
import { redisBinary } from '../redis-binary.ts';
import type { Network } from './network.ts';

/** One process of a set. Its address is that of its gate, which it announces to the others. */
export interface RedisNode {
  /** Such as `node 1` or `sentinel 2`. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  /** Of a node of a cluster: the port of its gate for the others. */
  readonly busPort: number;
  /** Sends one command, past the gate. */
  ask(...command: string[]): Promise<unknown>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** SIGSTOP: connections stay open, and nothing is answered. */
  pause(): void;
  resume(): void;
  cutOff(): void;
  rejoin(): void;
  /** Starts it again with its data, if it does not run. */
  start(): Promise<void>;
  /** Ends it for good and removes its files. */
  remove(): Promise<void>;
}

export interface NodeOptions {
  readonly name: string;
  /** An address of the network that no other node has. */
  readonly host: string;
  readonly network: Network;
  /** The lines of its configuration beside its address. The ports are those of its gates. */
  readonly settings: (ports: { readonly port: number; readonly busPort: number }) => readonly string[];
  /** The program that answers as sentinel. */
  readonly isSentinel?: boolean;
  readonly isCluster?: boolean;
  readonly password?: string;
}

/** Starts one process with its gate. Resolves when it answers. */
export async function startNode(options: NodeOptions): Promise<RedisNode> {
  const { name, host, network, isSentinel = false, isCluster = false } = options;
  const [port, target, busPort, busTarget] = [
    await freePort(host),
    await freePort(host),
    await freePort(host),
    await freePort(host),
  ];
  const folder = await mkdtemp(path.join(tmpdir(), 'notify-redis-node-'));
  const file = path.join(folder, 'redis.conf');
  const lines = [
    `port ${target}`,
    `bind ${host}`,
    // The gates of the others see by it who connects.
    `bind-source-addr ${host}`,
    `dir ${folder}`,
    'protected-mode no',
    ...(isCluster ? [`cluster-port ${busTarget}`] : []),
    ...options.settings({ port, busPort }),
  ];
  await writeFile(file, `${lines.join('\n')}\n`);
  await network.open(host, port, target);
  if (isCluster) await network.open(host, busPort, busTarget);

  async function spawnServer(): Promise<ChildProcess> {
    const { program, env } = await redisBinary();
    const child = spawn(program, [file, ...(isSentinel ? ['--sentinel'] : [])], { stdio: 'ignore', env });
    endWithUs(child, 'SIGKILL');
    await until(async () => {
      if (hasEnded(child)) throw new Error(`${name} ended with ${child.exitCode}`);
      return ask('PING').then(
        () => true,
        () => false,
      );
    });
    return child;
  }

  async function ask(...[command = '', ...args]: string[]): Promise<unknown> {
    const client = new Redis({
      host,
      port: target,
      ...(options.password === undefined ? {} : { password: options.password }),
      lazyConnect: true,
      enableReadyCheck: false,
      retryStrategy: () => null,
      connectTimeout: 1_000,
      commandTimeout: 2_000,
    });
    client.on('error', () => undefined);
    try {
      return await client.call(command, ...args);
    } finally {
      client.disconnect();
    }
  }

  let server = await spawnServer();
  async function kill(): Promise<void> {
    if (hasEnded(server)) return;
    server.kill('SIGKILL');
    await once(server, 'exit');
  }
  return {
    name,
    host,
    port,
    busPort,
    ask,
    kill,
    pause: () => void server.kill('SIGSTOP'),
    resume: () => void server.kill('SIGCONT'),
    cutOff: () => network.cutOff(host),
    rejoin: () => network.rejoin(host),
    async start() {
      if (hasEnded(server)) server = await spawnServer();
    },
    async remove() {
      await kill();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
