import {
  type Db,
  leavePartitions,
  type PartitionLease,
  preparePartitions,
  releasePartitions,
  renewPartitions,
  takePartitions,
} from '@notify/db';
import { every, type Log } from '@notify/runtime';

export interface LeaseOptions {
  readonly db: Db;
  readonly log: Log;
  /** This process, new with every start. */
  readonly owner: string;
  /** How many partitions there are. */
  readonly count: number;
  /** A partition is ours: its devices may connect. */
  readonly onTaken: (lease: PartitionLease) => Promise<void>;
  /** It may be somebody else's any moment: every connection of it ends before this returns. */
  readonly onLost: (lease: PartitionLease) => void;
  /** It is wanted elsewhere: resolves when nothing of it goes on. */
  readonly onGiven: (lease: PartitionLease) => Promise<void>;
}

export interface Leases {
  /** Stops using a partition at once, as a write has found its lease lost. */
  lose(lease: PartitionLease): void;
  /** Gives all partitions back, in good order. */
  close(): Promise<void>;
}

/** How long a lease lasts after each renewal, in ms on the database's clock. */
const leaseMs = 9_000;
/** How long before the end a lease that could not be renewed counts as lost, in ms on our own clock. */
const marginMs = 2_000;
const renewEveryMs = 500;
const watchEveryMs = 100;

interface Held {
  readonly lease: PartitionLease;
  /** By `performance.now()`. */
  safeUntil: number;
  giving: boolean;
}

/**
 * Takes a fair share of the partitions, keeps it, and gives up what is beyond. A lease counts from before its renewal
 * was asked for, so it is never thought to last longer than the database thinks.
 */
export async function keepLeases(options: LeaseOptions): Promise<Leases> {
  const { db, log, owner, count, onTaken, onLost, onGiven } = options;
  const mine = new Map<number, Held>();
  const giving = new Set<Promise<void>>();
  let closing = false;
  await preparePartitions(db, count);

  async function renew(): Promise<void> {
    const askedAt = performance.now();
    const { held, free, processes } = await renewPartitions(db, owner, leaseMs);
    const renewed = new Map(held.map((lease) => [lease.partition, lease]));
    for (const [partition, one] of mine) {
      if (renewed.get(partition)?.epoch === one.lease.epoch) one.safeUntil = askedAt + leaseMs - marginMs;
      else lose(one.lease);
    }
    // What we have stopped using, and the database still counts as ours.
    const unused = held.filter((lease) => mine.get(lease.partition)?.lease.epoch !== lease.epoch);
    if (unused.length > 0) await releasePartitions(db, unused);
    if (!closing) await share(free, Math.ceil(count / processes));
  }

  async function share(free: readonly number[], fair: number): Promise<void> {
    const kept = Array.from(mine.values()).filter((one) => !one.giving);
    for (const one of kept.slice(fair)) void give(one);
    const missing = fair - mine.size;
    if (missing <= 0 || free.length === 0) return;
    const askedAt = performance.now();
    const taken = await takePartitions(db, owner, someOf(free, missing), leaseMs);
    for (const lease of taken)
      mine.set(lease.partition, { lease, safeUntil: askedAt + leaseMs - marginMs, giving: false });
    if (taken.length > 0) log.info({ partitions: taken.map((lease) => lease.partition) }, 'partitions taken');
    for (const lease of taken)
      onTaken(lease).catch((error: unknown) => {
        log.warn({ err: error, partition: lease.partition }, 'partition could not be taken over');
        lose(lease);
      });
  }

  function lose(lease: PartitionLease): void {
    if (mine.get(lease.partition)?.lease.epoch !== lease.epoch) return;
    mine.delete(lease.partition);
    onLost(lease);
    log.warn({ partition: lease.partition }, 'partition lost');
  }

  function give(one: Held): Promise<void> {
    one.giving = true;
    const work = async (): Promise<void> => {
      await onGiven(one.lease);
      if (mine.get(one.lease.partition) !== one) return;
      mine.delete(one.lease.partition);
      await releasePartitions(db, [one.lease]);
      log.info({ partition: one.lease.partition }, 'partition given back');
    };
    const done = work()
      .catch((error: unknown) => {
        log.warn({ err: error, partition: one.lease.partition }, 'partition left to run out');
        lose(one.lease);
      })
      .finally(() => giving.delete(done));
    giving.add(done);
    return done;
  }

  function watch(): void {
    const now = performance.now();
    for (const one of mine.values()) if (now >= one.safeUntil) lose(one.lease);
  }

  const renewing = every(renewEveryMs, renew, log);
  const watching = setInterval(watch, watchEveryMs);

  return {
    lose,
    async close() {
      closing = true;
      for (const one of Array.from(mine.values())) if (!one.giving) void give(one);
      while (giving.size > 0) await Promise.all(giving);
      await renewing.close();
      clearInterval(watching);
      await leavePartitions(db, owner);
    },
  };
}

/** Any of them, so that two that join at once do not want the same. */
function someOf(free: readonly number[], wanted: number): number[] {
  return free
    .map((partition) => ({ partition, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .slice(0, wanted)
    .map(({ partition }) => partition);
}
