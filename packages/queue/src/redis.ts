import { createRedisBackend } from 'bullmq';
import type { Backend, OnError, OnMoved, Role } from './backend.ts';
import { measureConnection } from './connection-metrics.ts';
import { endlessMs, freeLostInRedis } from './lost-turns.ts';
import {
  closeRedis,
  openRedisClient,
  pingRedis,
  type RedisClient,
  watchErrors,
  watchMasters,
} from './redis-client.ts';
import { RedisTurnBackend } from './redis-turn-backend.ts';
import { within } from './time-limit.ts';

const uses = { waker: 'wakes', worker: 'turns' } as const;

/** Keeps turns in Redis. The keys of each queue share their own hash tag, so that a cluster can spread the queues. */
export function openRedis(url: string, role: Role, onError: OnError, onMoved?: OnMoved): Backend {
  const client = openRedisClient(url, uses[role]);
  const meter = measureConnection(role, () => client.status === 'ready');
  client.on('ready', () => meter.connected());
  watchErrors(client, (error) => {
    meter.failed();
    onError(error);
  });
  watchMasters(client, (masters) => {
    meter.moved();
    onMoved?.(masters);
  });
  return {
    factory(name, options, use) {
      const ours = { ...options, connection: client, prefix: prefixOf(name) };
      if (!use?.withBlockingConnection) return createRedisBackend(name, ours, use);
      return new RedisTurnBackend({
        name,
        prefix: prefixOf(name),
        queue: options,
        client,
        openFetcher: () => openFetcher(url),
        onFailed: () => meter.failed(),
      });
    },
    get reachable() {
      return client.status === 'ready';
    },
    ping: () => pingRedis(client),
    async answers(name) {
      await client.zcard(`${prefixOf(name)}:${name}:marker`);
    },
    async freeLost(name, ids) {
      const prefix = `${prefixOf(name)}:${name}:`;
      return (await client.eval(freeLostInRedis, 1, prefix, endlessMs, ...ids)) as string[];
    },
    async close() {
      meter.close();
      if (client.status === 'ready') await within(1_000, 'QUIT', client.quit()).catch(() => undefined);
      closeRedis(client);
    },
  };
}

function prefixOf(name: string): string {
  return `{notify-${name}}`;
}

function openFetcher(url: string): RedisClient {
  const fetcher = openRedisClient(url, 'fetch');
  // The fetch that waits for it fails, too.
  fetcher.on('error', () => undefined);
  return fetcher;
}
