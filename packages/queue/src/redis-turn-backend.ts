import { setTimeout as delay } from 'node:timers/promises';
import { QueueKeys, type QueueBaseOptions, RedisConnection, RedisQueueBackend } from 'bullmq';
import { closeRedis, type RedisClient } from './redis-client.ts';
import { within } from './time-limit.ts';

/** In seconds: how long one fetch blocks at most. An idle worker polls as often. */
const longestBlock = 2;
/** How much longer the answer may take, in ms, on an open connection and on a new one. */
const graceMs = 1_000;
const connectMs = 3_000;
const pauseAfterFailureMs = 500;

/** What the backend of one worker is made of. */
export interface RedisTurnBackendOptions {
  readonly name: string;
  readonly prefix: string;
  readonly queue: QueueBaseOptions;
  /** Shared by the workers of a lane; it never blocks. */
  readonly client: RedisClient;
  /** Opens a client for fetches that block. */
  readonly openFetcher: () => RedisClient;
  /** A fetch has failed. */
  readonly onFailed: (error: Error) => void;
}

/**
 * Takes turns from Redis. BullMQ keeps one blocking connection and makes it again when it was lost, and a worker hangs
 * for ever in that: `Cluster.connect()` of ioredis never settles if the cluster is not whole when it connects, even when
 * the client is ready later (BullMQ #4378, #4585). So here a blocking fetch is bounded, and its connection is thrown away
 * when it fails or is silent. The worker then asks without blocking, so it takes turns meanwhile.
 */
export class RedisTurnBackend extends RedisQueueBackend {
  readonly #openFetcher: () => RedisClient;
  readonly #onFailed: (error: Error) => void;
  #fetcher: RedisClient | null = null;
  #interruption = Promise.withResolvers<null>();

  constructor({ name, prefix, queue, client, openFetcher, onFailed }: RedisTurnBackendOptions) {
    const keys = new QueueKeys(prefix);
    const options = { ...queue, connection: client, prefix };
    // Otherwise BullMQ waits for an INFO, whose failure it would remember for ever.
    const connection = new RedisConnection(client, {
      shared: true,
      blocking: false,
      skipVersionCheck: true,
      skipWaitingForReady: true,
    });
    super(connection, name, keys.getKeys(name), (type) => keys.toKey(name, type), options);
    this.#openFetcher = openFetcher;
    this.#onFailed = onFailed;
  }

  /** In seconds. */
  override get maximumBlockTimeout(): number {
    return longestBlock;
  }

  /** Resolves when a turn waits, when none came in time, or a little after a failure. */
  override async waitForJob(seconds: number): ReturnType<RedisQueueBackend['waitForJob']> {
    if (this.closing !== undefined) return null;
    const fetcher = (this.#fetcher ??= this.#openFetcher());
    try {
      const limitMs = seconds * 1_000 + (fetcher.status === 'ready' ? graceMs : connectMs);
      const popped = fetcher.bzpopmin(this.keys.marker!, seconds);
      // It may fail long after it was given up.
      popped.catch(() => undefined);
      const found = await within(limitMs, 'a fetch', Promise.race([popped, this.#interruption.promise]));
      return found === null ? null : { member: found[1], score: parseInt(found[2]) };
    } catch (error) {
      if (this.#fetcher !== fetcher) return null;
      this.#drop();
      this.#onFailed(error instanceof Error ? error : new Error(String(error)));
      await Promise.race([delay(pauseAfterFailureMs), this.#interruption.promise]);
      return null;
    }
  }

  /** Ends a fetch that blocks. */
  override async disconnectBlocking(): Promise<void> {
    this.#drop();
    this.#interruption.resolve(null);
    this.#interruption = Promise.withResolvers();
  }

  /** The next fetch opens its connection. */
  override async reconnectBlocking(): Promise<void> {}

  override async close(force?: boolean): Promise<void> {
    await this.disconnectBlocking();
    await super.close(force);
  }

  #drop(): void {
    if (this.#fetcher !== null) closeRedis(this.#fetcher);
    this.#fetcher = null;
  }
}
