import { until } from '../../until.ts';
import { type RedisNode, startNode } from './node.ts';
import {
  createMembers,
  every,
  fieldsOf,
  isConnected,
  type RedisSet,
  type RedisSetOptions,
  serverLines,
  serverRole,
} from './set.ts';

const slots = 16_384;

/** Starts a cluster of three masters with one replica each. A master that is silent for 2 s is replaced. */
export async function startRedisCluster({ password }: RedisSetOptions = {}): Promise<RedisSet> {
  const members = createMembers();
  const { network, nodes } = members;
  for (const number of [1, 2, 3, 4, 5, 6]) {
    const host = `127.0.2.${number}`;
    const node = await startNode({
      name: `node ${number}`,
      host,
      network,
      isCluster: true,
      ...(password === undefined ? {} : { password }),
      settings: ({ port, busPort }) => [
        ...serverLines(password),
        'cluster-enabled yes',
        'cluster-node-timeout 2000',
        `cluster-announce-ip ${host}`,
        `cluster-announce-port ${port}`,
        `cluster-announce-bus-port ${busPort}`,
      ],
    });
    nodes.push(node);
  }
  const masters = nodes.slice(0, 3);
  const replicas = nodes.slice(3);

  async function knowsAll(node: RedisNode): Promise<boolean> {
    const lines = String(await node.ask('CLUSTER', 'NODES').catch(() => ''))
      .trim()
      .split('\n');
    return (
      lines.length === nodes.length && !lines.some((line) => /handshake|fail|noaddr|disconnected/.test(line))
    );
  }

  async function isWell(node: RedisNode): Promise<boolean> {
    const info = fieldsOf(await node.ask('CLUSTER', 'INFO').catch(() => ''));
    return info.get('cluster_state') === 'ok' && (await knowsAll(node)) && (await isConnected(node));
  }

  async function mastersWithReplica(): Promise<number> {
    const counts = await Promise.all(
      nodes.map(async (node) =>
        fieldsOf(await node.ask('INFO', 'replication').catch(() => '')).get('connected_slaves'),
      ),
    );
    return counts.filter((count) => count === '1').length;
  }

  const untilWhole = (): Promise<void> =>
    until(async () => (await every(nodes, isWell)) && (await mastersWithReplica()) === 3, 60_000);

  for (const [index, node] of masters.entries()) {
    const from = Math.floor((slots * index) / masters.length);
    const to = Math.floor((slots * (index + 1)) / masters.length) - 1;
    await node.ask('CLUSTER', 'ADDSLOTSRANGE', String(from), String(to));
    await node.ask('CLUSTER', 'SET-CONFIG-EPOCH', String(index + 1));
  }
  const [first, ...others] = nodes;
  for (const { host, port, busPort } of others)
    await first!.ask('CLUSTER', 'MEET', host, String(port), String(busPort));
  await until(() => every(nodes, knowsAll));
  for (const [index, replica] of replicas.entries())
    await replica.ask('CLUSTER', 'REPLICATE', String(await masters[index]!.ask('CLUSTER', 'MYID')));
  await untilWhole();
  const login = password === undefined ? '' : `:${encodeURIComponent(password)}@`;
  return {
    ...members,
    topology: 'cluster',
    url: `redis+cluster://${login}${masters.map(({ host, port }) => `${host}:${port}`).join(',')}`,
    roleOf: serverRole,
    untilWhole,
    async start() {
      await members.start();
      await untilWhole();
    },
    async isReplaced(node) {
      const witness = nodes.find((one) => one !== node)!;
      const lines = String(await witness.ask('CLUSTER', 'NODES').catch(() => '')).split('\n');
      const line = lines.find((one) => one.includes(`${node.host}:${node.port}@`)) ?? '';
      // Behind eight fields come the slots that it serves.
      return line !== '' && line.trim().split(' ').length === 8;
    },
    async wipe() {
      for (const node of nodes) if ((await serverRole(node)) === 'master') await node.ask('FLUSHALL');
    },
  };
}
