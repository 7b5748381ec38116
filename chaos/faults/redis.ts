import { setTimeout as wait } from 'node:timers/promises';
import { Redis } from 'ioredis';
import type { Fault } from './fault.ts';

/** FLUSHALL, several times. */
export function redisFlushed(times: number): Fault {
  return {
    name: 'Redis FLUSHALL',
    group: 'redis',
    async run(system, dice) {
      const redis = new Redis(system.redis.url);
      for (let left = times; left > 0; left -= 1) {
        await redis.flushall();
        await wait(dice.between(500, 2_000));
      }
      await redis.quit();
    },
  };
}

/** Stopped for so long; then it has what it had, or nothing. */
export function redisStopped(forMs: number, comesBack: 'as it was' | 'empty'): Fault {
  return {
    name: `Redis stopped ${forMs / 1_000} s${comesBack === 'empty' ? ', back empty' : ''}`,
    group: 'redis',
    async run({ redis }) {
      await redis.stop();
      await wait(forMs);
      await redis.start({ empty: comesBack === 'empty' });
    },
  };
}
