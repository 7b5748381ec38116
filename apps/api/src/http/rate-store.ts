import type { Db } from '@notify/db/connection';
import { rateLimitClient, rateLimitTable } from '@notify/db/tenants';
import type { Log, Settings } from '@notify/runtime';
import { Redis } from 'ioredis';
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

/** How long Redis may take before the process counts alone. */
const commandTimeoutMs = 500;

/** The store of all rate limits: Redis if it is configured, else a table in Postgres. */
export function openRateStore(db: Db, settings: Pick<Settings, 'redisUrl'>, log: Log): RateStore {
  const redis = settings.redisUrl === null ? null : connect(settings.redisUrl, log);
  return {
    counter(name, windowSeconds) {
      // The caller compares the count with its limit.
      const options = { keyPrefix: name, points: Number.MAX_SAFE_INTEGER, duration: windowSeconds };
      const insured = { ...options, insuranceLimiter: new RateLimiterMemory(options) };
      return counterOver(redis === null ? postgresLimiter(db, insured) : redisLimiter(redis, insured));
    },
    close: () => redis?.disconnect(),
  };
}

type Insured = ConstructorParameters<typeof RateLimiterMemory>[0] & {
  readonly insuranceLimiter: RateLimiterMemory;
};

function redisLimiter(storeClient: Redis, options: Insured): RateLimiterAbstract {
  return new RateLimiterRedis({ ...options, storeClient, rejectIfRedisNotReady: true });
}

function postgresLimiter(db: Db, options: Insured): RateLimiterAbstract {
  const store = { storeClient: rateLimitClient(db), storeType: 'pool', tableName: rateLimitTable };
  return new RateLimiterPostgres({ ...options, ...store, tableCreated: true });
}

function counterOver(limiter: RateLimiterAbstract): RateCounter {
  return {
    async add(key, points) {
      const { consumedPoints, msBeforeNext } = await limiter.consume(key, points);
      return { total: consumedPoints, resetMs: msBeforeNext };
    },
  };
}

function connect(url: string, log: Log): Redis {
  const redis = new Redis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1_000,
    commandTimeout: commandTimeoutMs,
    retryStrategy: (times) => Math.min(times * 100, 2_000),
  });
  let away = false;
  redis.on('ready', () => {
    away = false;
  });
  redis.on('error', (error) => {
    if (!away) log.tell('rate-store-away', { err: error });
    away = true;
  });
  return redis;
}
