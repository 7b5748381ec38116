import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { System } from '../../kit/system/system.ts';
import type { Fault } from '../../kit/faults/fault.ts';

/** FLUSHALL, several times. */
export function redisFlushed(times: number): Fault {
  return {
    name: 'Redis FLUSHALL',
    groups: ['redis'],
    run: (system, dice) =>
      withClient(system, async (redis) => {
        for (let left = times; left > 0; left -= 1) {
          await redis.flushall();
          await wait(dice.between(500, 2_000));
        }
      }),
  };
}

/** Stopped for this time; comes back with its data, or empty. */
export function redisStopped(forMs: number, comesBack: 'as it was' | 'empty'): Fault {
  return {
    name: `Redis stopped ${forMs / 1_000} s${comesBack === 'empty' ? ', back empty' : ''}`,
    groups: ['redis'],
    async run({ redis }) {
      await redis.stop();
      await wait(forMs);
      await redis.start({ empty: comesBack === 'empty' });
    },
  };
}

/** Redis refuses writes: `noeviction` at `maxmemory` (Redis, "Key eviction"). */
export function redisFull(forMs: number): Fault {
  return {
    name: `Redis at maxmemory ${forMs / 1_000} s`,
    groups: ['redis'],
    run: (system) =>
      withClient(system, async (redis) => {
        await redis.config('SET', 'maxmemory', '1');
        await wait(forMs);
        await redis.config('SET', 'maxmemory', '0');
      }),
  };
}

/**
 * Redis has become a replica, as after a fail-over that the service was not told of: it serves reads and refuses
 * writes.
 */
export function redisReplica(forMs: number): Fault {
  return {
    name: `Redis a replica ${forMs / 1_000} s`,
    groups: ['redis'],
    run: (system) =>
      withClient(system, async (redis) => {
        await redis.replicaof('127.0.0.1', 1);
        await wait(forMs);
        await redis.replicaof('NO', 'ONE');
      }),
  };
}

async function withClient({ redis: { url } }: System, run: (redis: Redis) => Promise<void>): Promise<void> {
  const redis = new Redis(url);
  try {
    await run(redis);
  } finally {
    await redis.quit();
  }
}
