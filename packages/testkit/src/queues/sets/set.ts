import type { OwnRedis } from '../redis.ts';
import { createNetwork, type Network } from './network.ts';
import type { RedisNode } from './node.ts';

export type RedisTopology = 'sentinel' | 'cluster';

/** The part of a node that serves data, or a sentinel. It changes as masters fail. */
export type RedisRole = 'master' | 'replica' | 'sentinel';

/** Several Redis processes on loopback that take over from each other. */
export interface RedisSet extends OwnRedis {
  readonly topology: RedisTopology;
  readonly nodes: readonly RedisNode[];
  roleOf(node: RedisNode): Promise<RedisRole>;
  /** Resolves when every node runs, masters and replicas are connected, and the whole can lose any one of them. */
  untilWhole(): Promise<void>;
  /** Whether another master has taken over all that this node served. True of a node that serves nothing. */
  isReplaced(node: RedisNode): Promise<boolean>;
  /** Deletes all data of all masters. */
  wipe(): Promise<void>;
}

export interface RedisSetOptions {
  /** The password of every server; of sentinels, the same with `-sentinel` behind it. */
  readonly password?: string;
}

/** The lines of every server: an append-only file and noeviction as in production, and a replica that syncs at once. */
export function serverLines(password: string | undefined): string[] {
  return [
    'appendonly yes',
    'save ""',
    'maxmemory-policy noeviction',
    'repl-diskless-sync-delay 0',
    'repl-timeout 5',
    'repl-ping-replica-period 1',
    ...(password === undefined ? [] : [`requirepass ${password}`, `masterauth ${password}`]),
  ];
}

/** What sets of both topologies do with their nodes. */
export interface Members {
  readonly nodes: RedisNode[];
  readonly network: Network;
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

export function createMembers(): Members {
  const nodes: RedisNode[] = [];
  const network = createNetwork();
  const stop = async (): Promise<void> => void (await Promise.all(nodes.map((node) => node.kill())));
  return {
    nodes,
    network,
    stop,
    start: async () => void (await Promise.all(nodes.map((node) => node.start()))),
    async remove() {
      await Promise.all(nodes.map((node) => node.remove()));
      await network.close();
    },
  };
}

/** The fields of an answer of INFO or CLUSTER INFO. */
export function fieldsOf(text: unknown): ReadonlyMap<string, string> {
  const pairs = String(text)
    .split('\r\n')
    .map((line) => line.split(/:(.*)/s, 2) as [string, string?]);
  return new Map(pairs.map(([name, value]) => [name, value ?? '']));
}

/** The role of a server as it says itself, or as a replica if it does not answer. */
export async function serverRole(node: RedisNode): Promise<'master' | 'replica'> {
  const info = await node.ask('INFO', 'replication').catch(() => '');
  return fieldsOf(info).get('role') === 'master' ? 'master' : 'replica';
}

/** Whether it answers, and as a replica is connected to its master. */
export async function isConnected(node: RedisNode): Promise<boolean> {
  const fields = fieldsOf(await node.ask('INFO', 'replication').catch(() => ''));
  return fields.get('role') === 'master' || fields.get('master_link_status') === 'up';
}

export async function every(
  all: readonly RedisNode[],
  is: (node: RedisNode) => Promise<boolean>,
): Promise<boolean> {
  return (await Promise.all(all.map(is))).every(Boolean);
}
