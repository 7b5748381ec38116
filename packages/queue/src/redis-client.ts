import { parseRedisAddress, type RedisAddress, type RedisLogin } from '@notify/core';
import { Cluster, type ClusterOptions, Redis, type RedisOptions } from 'ioredis';

/** A connection to one Redis, to the master that sentinels name, or to all masters of a cluster. */
export type RedisClient = Redis | Cluster;

/**
 * What a client is for. Wakes and rates fail at once while Redis is away, so no command waits in memory for it. Turns
 * wait. A fetch blocks, so its client never reconnects: the fetch that failed opens another one.
 */
export type RedisUse = 'wakes' | 'turns' | 'fetch' | 'rates';

interface Behaviour {
  readonly options: Pick<
    RedisOptions,
    'enableOfflineQueue' | 'maxRetriesPerRequest' | 'commandTimeout' | 'socketTimeout'
  >;
  /** Redirects and repetitions of one command of a cluster, 100 ms apart. */
  readonly maxRedirections: number;
  /** The time until a lost connection is made again, in ms. Null: never. */
  readonly reconnectMs: number | null;
}

const behaviours: Readonly<Record<RedisUse, Behaviour>> = {
  wakes: {
    options: {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: 1_000,
      socketTimeout: 2_000,
    },
    maxRedirections: 5,
    reconnectMs: 500,
  },
  turns: {
    // A server that is frozen or cut off keeps its connections open, so only silence tells.
    options: { maxRetriesPerRequest: null, socketTimeout: 3_000 },
    maxRedirections: 16,
    reconnectMs: 500,
  },
  fetch: {
    options: { maxRetriesPerRequest: null },
    maxRedirections: 5,
    reconnectMs: null,
  },
  rates: {
    options: {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      commandTimeout: 500,
      socketTimeout: 2_000,
    },
    maxRedirections: 3,
    reconnectMs: 500,
  },
};

/** Of every connection, in ms. */
const common = { connectTimeout: 2_000, keepAlive: 10_000 } satisfies RedisOptions;

/** The answers of a server that is no master, or no longer: READONLY, and NOREPLICAS of one that is cut off. */
const isNoMaster = /^(?:READONLY|NOREPLICAS) /;

/**
 * Opens a client. It connects by itself, and again whenever the connection was lost, to the master of that time. Listen
 * by `watchErrors`, and close it by `closeRedis`. Throws if the URL is none; settings are checked at the start.
 */
export function openRedisClient(url: string, use: RedisUse): RedisClient {
  const address = parseRedisAddress(url);
  if ('fault' in address) throw new Error(`no Redis URL: ${address.fault}`);
  const client = address.kind === 'cluster' ? openCluster(address, use) : openServer(address, use);
  // BullMQ adds to this number for its own listeners, which would make a limit of 0.
  client.setMaxListeners(Infinity);
  return client;
}

const closing = new WeakSet<RedisClient>();

/** Ends a client for good, and rejects the commands that wait for it. */
export function closeRedis(client: RedisClient): void {
  closing.add(client);
  // Between two connections, `disconnect` would leave the waiting commands pending for ever. The next one ends them.
  if (client.status === 'reconnecting') client.once('connect', () => client.disconnect());
  else client.disconnect();
}

/** The least time between two errors of single nodes of a cluster that are told, in ms. */
const nodeErrorsApartMs = 1_000;

/** Calls `onError` with every error of the connection; of the nodes of a cluster, at most once a second. */
export function watchErrors(client: RedisClient, onError: (error: Error) => void): void {
  client.on('error', onError);
  if (!(client instanceof Cluster)) return;
  let toldAt = -Infinity;
  client.on('node error', (error: Error) => {
    if (performance.now() - toldAt < nodeErrorsApartMs) return;
    toldAt = performance.now();
    onError(error);
  });
}

/** Rejects unless Redis answers: all masters that are known of a cluster. */
export async function pingRedis(client: RedisClient): Promise<void> {
  if (!(client instanceof Cluster)) {
    await client.ping();
    return;
  }
  if (client.status !== 'ready') throw new Error('the cluster is away');
  await Promise.all(client.nodes('master').map((node) => node.ping()));
}

/** Calls `onMoved` with the addresses of the masters whenever they have changed. */
export function watchMasters(client: RedisClient, onMoved: (masters: string) => void): void {
  let known: string | null = null;
  const look = (): void => {
    const masters = mastersOf(client);
    if (masters === null || masters === known) return;
    if (known !== null) onMoved(masters);
    known = masters;
  };
  if (client instanceof Cluster) client.on('refresh', look);
  else client.on('ready', look);
}

function mastersOf(client: RedisClient): string | null {
  if (client instanceof Cluster) {
    const nodes = client.nodes('master').map(({ options: { host, port } }) => `${host}:${port}`);
    return nodes.length === 0 ? null : nodes.sort().join(',');
  }
  const { remoteAddress, remotePort } = client.stream as { remoteAddress?: string; remotePort?: number };
  return remoteAddress === undefined ? null : `${remoteAddress}:${remotePort}`;
}

function openServer(address: Exclude<RedisAddress, { kind: 'cluster' }>, use: RedisUse): Redis {
  const { options, reconnectMs } = behaviours[use];
  const reconnect = (): number | null => (closing.has(client) ? null : reconnectMs);
  const all = {
    ...common,
    ...options,
    retryStrategy: reconnect,
    // 2 also sends the command again. A wake fails, because the sweeper repeats it.
    reconnectOnError: ({ message }) => isNoMaster.test(message) && (use === 'turns' ? 2 : 1),
  } satisfies RedisOptions;
  const client: Redis =
    address.kind === 'single'
      ? new Redis(address.url, all)
      : new Redis({ ...all, ...sentinelOptions(address), sentinelRetryStrategy: reconnect });
  return client;
}

function sentinelOptions(address: Extract<RedisAddress, { kind: 'sentinel' }>) {
  const { nodes, master, database, tls, login, sentinelLogin } = address;
  return {
    sentinels: nodes.map((node) => ({ ...node })),
    name: master,
    db: database,
    ...given(login),
    ...(sentinelLogin.username === null ? {} : { sentinelUsername: sentinelLogin.username }),
    ...(sentinelLogin.password === null ? {} : { sentinelPassword: sentinelLogin.password }),
    // A sentinel that is frozen accepts connections and answers nothing.
    sentinelCommandTimeout: 1_000,
    ...(tls ? { tls: {}, sentinelTLS: {}, enableTLSForSentinelMode: true } : {}),
  } satisfies RedisOptions;
}

function openCluster(address: Extract<RedisAddress, { kind: 'cluster' }>, use: RedisUse): Cluster {
  const { nodes, tls, login } = address;
  const { options, maxRedirections, reconnectMs } = behaviours[use];
  const settings = {
    enableOfflineQueue: options.enableOfflineQueue ?? true,
    maxRedirections,
    clusterRetryStrategy: () => (closing.has(client) ? null : reconnectMs),
    // With it, a client reconnects as long as any slot is uncovered, although the other masters work.
    enableReadyCheck: false,
    slotsRefreshTimeout: 1_000,
    // Names are kept for the certificates, and resolved again at each connection.
    dnsLookup: (host, callback) => callback(null, host),
    redisOptions: { ...common, ...options, ...given(login), ...(tls ? { tls: {} } : {}) },
  } satisfies ClusterOptions;
  const client: Cluster = new Cluster(
    nodes.map((node) => ({ ...node })),
    settings,
  );
  return client;
}

function given({ username, password }: RedisLogin) {
  return {
    ...(username === null ? {} : { username }),
    ...(password === null ? {} : { password }),
  };
}
