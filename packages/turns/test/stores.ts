import { once } from 'node:events';
import { prepareQueue, type QueueStore } from '@notify/queue';
import {
  freePort,
  type Program,
  type RedisSet,
  startOwnPostgres,
  startRedis,
  startRedisCluster,
  startSentinelSet,
} from '@notify/testkit';
import { Redis } from 'ioredis';
import pg from 'pg';

/** A store of the test's own, which it may wipe, stop and start again. */
export interface StoreUnderTest {
  readonly store: QueueStore;
  wipe(): Promise<void>;
  stop(): Promise<void>;
  start(): Promise<void>;
  remove(): Promise<void>;
}

/** Redis, killed rather than stopped: after a restart it has forgotten everything. */
async function redisStore(): Promise<StoreUnderTest> {
  const port = await freePort();
  let server = await startRedis(port);
  return {
    store: { redisUrl: server.url, databaseUrl: '' },
    async wipe() {
      const client = new Redis(server.url);
      await client.flushall();
      client.disconnect();
    },
    async stop() {
      server.process.kill('SIGKILL');
      await once(server.process, 'exit');
      await server.stop();
    },
    async start() {
      server = await startRedis(port);
    },
    remove: () => server.stop(),
  };
}

async function postgresStore(): Promise<StoreUnderTest> {
  const server = await startOwnPostgres();
  const store = { redisUrl: null, databaseUrl: server.url };
  await Promise.all([prepareQueue(store), prepareQueue(store), prepareQueue(store)]);
  return {
    store,
    async wipe() {
      const client = new pg.Client(server.url);
      await client.connect();
      for (const table of ['job', 'dedup_next', 'dedup', 'meta'])
        await client.query(`delete from bullmq.${table}`);
      await client.end();
    },
    stop: () => server.stop(),
    start: () => server.start(),
    remove: () => server.remove(),
  };
}

async function setStore(start: () => Promise<RedisSet>): Promise<StoreUnderTest> {
  const set = await start();
  return { ...set, store: { redisUrl: set.url, databaseUrl: '' } };
}

/** A sort of store, and the programs that it needs. */
export interface Store {
  readonly name: string;
  readonly needs: readonly Program[];
  readonly open: () => Promise<StoreUnderTest>;
}

const redis = ['redis-server'] as const;

/** Every sort of store; the whole suite runs over each. */
export const stores: readonly Store[] = [
  { name: 'Redis', needs: redis, open: redisStore },
  { name: 'Sentinel', needs: redis, open: () => setStore(startSentinelSet) },
  { name: 'a Redis Cluster', needs: redis, open: () => setStore(startRedisCluster) },
  { name: 'Postgres', needs: [], open: postgresStore },
];
