import type { Db } from '@notify/db/connection';
import { rateLimitClient, rateLimitTable } from '@notify/db/tenants';
import { closeRedis, openRedisClient, type RedisClient, watchErrors } from '@notify/queue';
import type { Log, Settings } from '@notify/runtime';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRedis,
} from 'rate-limiter-flexible';

/** Counts across all processes. A key's window begins with its first count. */
export interface RateCounter {
  /** Adds to the key's count. Never rejects: while the store is away each process counts alone. */
  add(key: string, points: number): Promise<{ readonly total: number; readonly resetMs: number }>;
}

export interface RateStore {
  /** A separate counter, identified by its name. */
  counter(name: string, windowSeconds: number): RateCounter;
  close(): void;
}

/** The store of all rate limits: Redis if it is configured, else a table in Postgres. */
export function openRateStore(db: Db, settings: Pick<Settings, 'redisUrl'>, log: Log): RateStore {
  const open = settings.redisUrl === null ? null : openRedis(settings.redisUrl, log);
  return {
    counter(name, windowSeconds) {
      // The caller compares the count with its limit.
      const options = { keyPrefix: name, points: Number.MAX_SAFE_INTEGER, duration: windowSeconds };
      const alone = new RateLimiterMemory(options);
      return open === null ? postgresCounter(db, options, alone) : redisCounter(open, options, alone);
    },
    close: () => open && closeRedis(open.redis),
  };
}

type Options = ConstructorParameters<typeof RateLimiterMemory>[0];

interface OpenRedis {
  readonly redis: RedisClient;
  /** Redis did not count. Logged once per absence. */
  readonly failed: (error: Error) => void;
  readonly counted: () => void;
}

function openRedis(url: string, log: Log): OpenRedis {
  const redis = openRedisClient(url, 'rates');
  let isAway = false;
  function failed(error: Error): void {
    if (!isAway) log.tell('rate-store-away', { err: error });
    isAway = true;
  }
  watchErrors(redis, failed);
  return { redis, failed, counted: () => void (isAway = false) };
}

function redisCounter(
  { redis, failed, counted }: OpenRedis,
  options: Options,
  alone: RateLimiterMemory,
): RateCounter {
  const limiter = new RateLimiterRedis({ ...options, storeClient: redis, rejectIfRedisNotReady: true });
  return {
    async add(key, points) {
      try {
        const counts = await add(limiter, key, points);
        counted();
        return counts;
      } catch (error) {
        failed(error instanceof Error ? error : new Error(String(error)));
        return add(alone, key, points);
      }
    },
  };
}

function postgresCounter(db: Db, options: Options, alone: RateLimiterMemory): RateCounter {
  const store = { storeClient: rateLimitClient(db), storeType: 'pool', tableName: rateLimitTable };
  const limiter = new RateLimiterPostgres({
    ...options,
    ...store,
    tableCreated: true,
    insuranceLimiter: alone,
  });
  return { add: (key, points) => add(limiter, key, points) };
}

async function add(
  limiter: RateLimiterAbstract,
  key: string,
  points: number,
): ReturnType<RateCounter['add']> {
  const { consumedPoints, msBeforeNext } = await limiter.consume(key, points);
  return { total: consumedPoints, resetMs: msBeforeNext };
}
