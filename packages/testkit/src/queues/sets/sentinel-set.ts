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

const master = 'mymaster';
const quorum = 2;

/** Starts a master, two replicas and three sentinels, which take 2 s to find that the master is down. */
export async function startSentinelSet({ password }: RedisSetOptions = {}): Promise<RedisSet> {
  const members = createMembers();
  const { network, nodes } = members;
  const sentinelPassword = password === undefined ? undefined : `${password}-sentinel`;

  async function addServer(number: number, first: RedisNode | null): Promise<RedisNode> {
    const host = `127.0.1.${number}`;
    const node = await startNode({
      name: `server ${number}`,
      host,
      network,
      ...(password === undefined ? {} : { password }),
      settings: ({ port }) => [
        ...serverLines(password),
        `replica-announce-ip ${host}`,
        `replica-announce-port ${port}`,
        ...(first === null ? [] : [`replicaof ${first.host} ${first.port}`]),
      ],
    });
    nodes.push(node);
    return node;
  }

  async function addSentinel(number: number, first: RedisNode): Promise<RedisNode> {
    const host = `127.0.1.${10 + number}`;
    const node = await startNode({
      name: `sentinel ${number}`,
      host,
      network,
      isSentinel: true,
      ...(sentinelPassword === undefined ? {} : { password: sentinelPassword }),
      settings: ({ port }) => [
        `sentinel announce-ip ${host}`,
        `sentinel announce-port ${port}`,
        ...(sentinelPassword === undefined
          ? []
          : [`requirepass ${sentinelPassword}`, `sentinel sentinel-pass ${sentinelPassword}`]),
        `sentinel monitor ${master} ${first.host} ${first.port} ${quorum}`,
        `sentinel down-after-milliseconds ${master} 2000`,
        // A vote that nobody wins is repeated after twice this time.
        `sentinel failover-timeout ${master} 3000`,
        ...(password === undefined ? [] : [`sentinel auth-pass ${master} ${password}`]),
      ],
    });
    nodes.push(node);
    return node;
  }

  const first = await addServer(1, null);
  const servers = [first, await addServer(2, first), await addServer(3, first)];
  const sentinels = [await addSentinel(1, first), await addSentinel(2, first), await addSentinel(3, first)];

  /** Whether a sentinel knows the master, both replicas and the other sentinels, and finds all of them well. */
  async function seesAll(sentinel: RedisNode): Promise<boolean> {
    const info = fieldsOf(await sentinel.ask('INFO', 'sentinel').catch(() => ''));
    return (
      /status=ok,.*slaves=2,sentinels=3$/.test(info.get('master0') ?? '') && (await replicasAreWell(sentinel))
    );
  }

  async function replicasAreWell(sentinel: RedisNode): Promise<boolean> {
    const replicas = (await sentinel.ask('SENTINEL', 'REPLICAS', master)) as string[][];
    return replicas.every((fields) => fields[fields.indexOf('flags') + 1] === 'slave');
  }

  async function hasOneMaster(): Promise<boolean> {
    const roles = await Promise.all(servers.map(serverRole));
    return roles.filter((role) => role === 'master').length === 1;
  }

  const untilWhole = (): Promise<void> =>
    until(
      async () =>
        (await every(sentinels, seesAll)) && (await hasOneMaster()) && (await every(servers, isConnected)),
      60_000,
    );
  const hosts = sentinels.map(({ host, port }) => `${host}:${port}`).join(',');
  const login = password === undefined ? '' : `:${encodeURIComponent(password)}@`;
  const query =
    password === undefined ? '' : `?sentinelPassword=${encodeURIComponent(`${password}-sentinel`)}`;
  await untilWhole();
  return {
    ...members,
    topology: 'sentinel',
    url: `redis+sentinel://${login}${hosts}/${master}${query}`,
    roleOf: async (node) => (sentinels.includes(node) ? 'sentinel' : serverRole(node)),
    untilWhole,
    async start() {
      await members.start();
      await untilWhole();
    },
    async isReplaced(node) {
      const others = servers.filter((server) => server !== node);
      return (await Promise.all(others.map(serverRole))).includes('master');
    },
    async wipe() {
      for (const server of servers) if ((await serverRole(server)) === 'master') await server.ask('FLUSHALL');
    },
  };
}
