import { createRedisBackend } from 'bullmq';
import type { Backend, OnError, Role } from './backend.ts';
import { measureConnection } from './connection-metrics.ts';
import { closeRedis, openRedisClient, pingRedis, watchErrors } from './redis-client.ts';
import { within } from './time-limit.ts';

const uses = { waker: 'wakes', worker: 'turns' } as const;

/** Keeps turns in Redis. The keys of each queue share their own hash tag, so that a cluster can spread the queues. */
export function openRedis(url: string, role: Role, onError: OnError): Backend {
  const client = openRedisClient(url, uses[role]);
  const meter = measureConnection(role, () => client.status === 'ready');
  client.on('ready', () => meter.connected());
  watchErrors(client, (error) => {
    meter.failed();
    onError(error);
  });
  return {
    factory(name, options, use) {
      const ours = { ...options, connection: client, prefix: `{notify-${name}}` };
      return createRedisBackend(name, ours, use);
    },
    get reachable() {
      return client.status === 'ready';
    },
    ping: () => pingRedis(client),
    async close() {
      meter.close();
      if (client.status === 'ready') await within(1_000, 'QUIT', client.quit()).catch(() => undefined);
      closeRedis(client);
    },
  };
}
