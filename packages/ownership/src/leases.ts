import type { Db } from '@notify/db/connection';
import {
  leavePartitions,
  type PartitionLease,
  type PartitionOwner,
  type PartitionsView,
  preparePartitions,
  releasePartitions,
  renewPartitions,
  type TakenLease,
  takePartitions,
} from '@notify/db/ownership';
import { every, type Log } from '@notify/runtime';

/** Where the leases of a lane are shown to operators. */
export interface LeaseMeasures {
  /** Shows at each scrape how many partitions this process holds. Call the result to end it. */
  showHeld(held: () => number): () => void;
  countTaken(from: TakenLease['from']): void;
}

export interface LeaseOptions {
  readonly db: Db;
  readonly log: Log;
  /** This process, with a new id at every start. */
  readonly owner: PartitionOwner;
  /** The setting with the number of partitions, for operators. */
  readonly setting: string;
  readonly measures: LeaseMeasures;
  /** The partition is ours. Its connections may open. */
  readonly onTaken: (lease: PartitionLease) => Promise<void>;
  /** Another process may take the partition at any moment, so all its connections end before this returns. */
  readonly onLost: (lease: PartitionLease) => void;
  /** Another process should take the partition. Resolves when all its work has stopped. */
  readonly onGiven: (lease: PartitionLease) => Promise<void>;
}

/** The length of a lease after each renewal, in ms on the database's clock. */
const leaseMs = 9_000;
/** A lease that could not be renewed counts as lost this long before its end, in ms on our own clock. */
const marginMs = 2_000;
const renewEveryMs = 500;
const watchEveryMs = 100;

interface Held {
  readonly lease: PartitionLease;
  /** On the clock of `performance.now()`. */
  safeUntil: number;
  giving: boolean;
}

/**
 * The partitions that this process holds. Takes a fair share of them, renews it, and gives up any beyond it. A lease
 * counts from before its renewal was sent, so this process never believes in it longer than the database does. It may
 * begin before the database can be reached.
 */
export class Leases {
  private readonly options: LeaseOptions;
  private readonly mine = new Map<number, Held>();
  private readonly giving = new Set<Promise<void>>();
  private readonly renewing: { close(): Promise<void> };
  private readonly watching: NodeJS.Timeout;
  private renewal: Promise<void> = Promise.resolve();
  private closing = false;
  /** Whether the rows of all partitions are known to exist. */
  private prepared = false;
  private readonly unshow: () => void;
  /** Why this process cannot get a partition; null if it can. */
  private unused: string | null = null;

  constructor(options: LeaseOptions) {
    this.options = options;
    this.renewing = every('renew-partitions', renewEveryMs, () => (this.renewal = this.renew()), options.log);
    this.watching = setInterval(() => this.watch(), watchEveryMs);
    this.unshow = options.measures.showHeld(() => this.mine.size);
  }

  /** Stops using a partition at once, because a write found its lease lost. */
  lose(lease: PartitionLease): void {
    if (this.mine.get(lease.partition)?.lease.epoch !== lease.epoch) return;
    this.mine.delete(lease.partition);
    this.options.onLost(lease);
    this.options.log.tell('partition-lost', { partition: lease.partition });
  }

  /** Throws if this process holds no partition and cannot get one. */
  demandUse(): void {
    if (this.unused !== null) throw new Error(this.unused);
  }

  /**
   * Gives all partitions back in good order. The other processes are told first, so that each takes freed partitions at
   * once.
   */
  async close(): Promise<void> {
    this.closing = true;
    const left = this.leave();
    for (const one of Array.from(this.mine.values())) this.give(one);
    while (this.giving.size > 0) await Promise.all(this.giving);
    await this.renewing.close();
    clearInterval(this.watching);
    this.unshow();
    await left;
  }

  private async leave(): Promise<void> {
    const { db, log, owner } = this.options;
    // An earlier renewal could still be running and would count this process again.
    await this.renewal.catch(() => undefined);
    await leavePartitions(db, owner).catch((error: unknown) =>
      log.tell('leaving-not-recorded', { err: error }),
    );
  }

  private async renew(): Promise<void> {
    const { db, owner } = this.options;
    if (!this.prepared) await preparePartitions(db, owner);
    this.prepared = true;
    const askedAt = performance.now();
    const view = await renewPartitions(db, owner, leaseMs, this.closing);
    const { held, free, processes } = view;
    const epochs = new Map(held.map((lease) => [lease.partition, lease.epoch]));
    for (const [partition, one] of this.mine) {
      if (epochs.get(partition) === one.lease.epoch) one.safeUntil = askedAt + leaseMs - marginMs;
      else this.lose(one.lease);
    }
    // Partitions that we no longer use and that the database still counts as ours.
    const unused = held.filter((lease) => this.mine.get(lease.partition)?.lease.epoch !== lease.epoch);
    if (unused.length > 0) await releasePartitions(db, unused);
    if (this.closing) return;
    await this.share(free, Math.ceil(owner.partitions / processes));
    this.tellUse(view);
  }

  /** Logs once when this process becomes useless, and once when it is useful again. */
  private tellUse({ processes, disagreeing }: PartitionsView): void {
    const { log, owner, setting } = this.options;
    const before = this.unused;
    this.unused = this.mine.size > 0 ? null : whyUnused(owner.partitions, processes, disagreeing, setting);
    if (this.unused === before) return;
    const fields = { partitionCount: owner.partitions, processes, disagreeing };
    if (this.unused === null) log.tell('partitions-open', fields);
    else log.tell('no-partition', { ...fields, msg: this.unused });
  }

  private async share(free: readonly number[], fair: number): Promise<void> {
    const kept = Array.from(this.mine.values()).filter((one) => !one.giving);
    for (const one of kept.slice(fair)) this.give(one);
    const missing = fair - this.mine.size;
    if (missing > 0 && free.length > 0) await this.take(someOf(free, missing));
  }

  private async take(partitions: readonly number[]): Promise<void> {
    const { db, log, owner, measures, onTaken } = this.options;
    const askedAt = performance.now();
    const taken = await takePartitions(db, owner, partitions, leaseMs);
    const safeUntil = askedAt + leaseMs - marginMs;
    for (const { lease, from } of taken) {
      this.mine.set(lease.partition, { lease, safeUntil, giving: false });
      measures.countTaken(from);
    }
    if (taken.length > 0)
      log.tell('partitions-taken', { partitions: taken.map(({ lease }) => lease.partition) });
    for (const { lease } of taken)
      onTaken(lease).catch((error: unknown) => {
        log.tell('partition-not-taken', { err: error, partition: lease.partition });
        this.lose(lease);
      });
  }

  private give(one: Held): void {
    if (one.giving) return;
    one.giving = true;
    const given = this.handOver(one)
      .catch((error: unknown) => {
        this.options.log.tell('partition-not-released', { err: error, partition: one.lease.partition });
        this.lose(one.lease);
      })
      .finally(() => this.giving.delete(given));
    this.giving.add(given);
  }

  private async handOver(one: Held): Promise<void> {
    const { lease } = one;
    await this.options.onGiven(lease);
    if (this.mine.get(lease.partition) !== one) return;
    this.mine.delete(lease.partition);
    await releasePartitions(this.options.db, [lease]);
    this.options.log.tell('partition-given-back', { partition: lease.partition });
  }

  private watch(): void {
    const now = performance.now();
    for (const one of this.mine.values()) if (now >= one.safeUntil) this.lose(one.lease);
  }
}

/** Why a process without partitions cannot get one; null if it only has to wait for the others to give one up. */
function whyUnused(count: number, processes: number, disagreeing: number, setting: string): string | null {
  if (disagreeing > 0) return `holds no partition: other processes run with another ${setting}`;
  return processes > count ? `holds no partition: there are more processes than ${setting}` : null;
}

/** A random choice, so that two processes that start together do not want the same partitions. */
function someOf(free: readonly number[], wanted: number): number[] {
  return free
    .map((partition) => ({ partition, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .slice(0, wanted)
    .map(({ partition }) => partition);
}
