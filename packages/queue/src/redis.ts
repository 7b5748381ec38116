import { createRedisBackend } from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import type { Backend, OnError, Role } from './backend.ts';
import { measureConnection } from './connection-metrics.ts';
import { within } from './time-limit.ts';

const reconnectMs = 500;

const roleOptions = {
  // Fails within about a second, so that no wake waits in memory for Redis to come back.
  waker: { enableOfflineQueue: false, maxRetriesPerRequest: 0, commandTimeout: 1_000, socketTimeout: 2_000 },
  // The end of a turn waits for Redis. The slots bound the number of these commands.
  worker: { maxRetriesPerRequest: null },
} satisfies Record<Role, RedisOptions>;

/** Keeps turns in Redis. The keys of each queue share their own hash tag, so that a cluster can spread the queues. */
export function openRedis(url: string, role: Role, onError: OnError): Backend {
  let closing = false;
  const client = new Redis(url, {
    ...roleOptions[role],
    connectTimeout: 2_000,
    keepAlive: 10_000,
    // Null ends a connection that waits to reconnect. `disconnect` would leave its commands pending for ever.
    retryStrategy: () => (closing ? null : reconnectMs),
  });
  const meter = measureConnection(role, () => client.status === 'ready');
  client.on('ready', () => meter.connected());
  client.on('error', (error) => {
    meter.failed();
    onError(error);
  });
  client.setMaxListeners(0);
  return {
    factory(name, options, use) {
      const ours = { ...options, connection: client, prefix: `{notify-${name}}` };
      return createRedisBackend(name, ours, use);
    },
    get reachable() {
      return client.status === 'ready';
    },
    async ping() {
      await client.ping();
    },
    async close() {
      closing = true;
      meter.close();
      if (client.status === 'ready')
        await within(1_000, 'QUIT', client.quit()).catch(() => client.disconnect());
    },
  };
}
