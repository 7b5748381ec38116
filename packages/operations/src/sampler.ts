import type { Db } from '@notify/db/connection';
import {
  beginRounds,
  leaseSamples,
  releaseSamples,
  removeEndedProcesses,
  type Sample,
  storeSample,
  takeSample,
} from '@notify/db/operations';
import { every, type Log } from '@notify/runtime';
import { metrics } from '@notify/telemetry';
import { endOfWork } from './end-of-work.ts';
import { exportSample } from './sampled-metrics.ts';

/** The lease ends after this many periods without a sample or renewal. */
const leasePeriods = 3;
/** How often a slow sample renews the lease: so many times while it lasts. */
const renewals = 3;
/** The longest that a sample may take, in ms. Its queries end after about 2 s each. */
const longestSampleMs = 60_000;

export interface SamplerOptions {
  readonly db: Db;
  readonly log: Log;
  /** The process's id: `processId` of `@notify/db/connection`. */
  readonly id: string;
  readonly periodMs: number;
}

/**
 * Offers to sample what needs a query, until closed. Among all processes that offer, the holder of a lease samples and
 * exports. A process that cannot be sure of the lease exports nothing: at each scrape it also checks its own clock, in
 * case it was suspended or the database is away.
 */
export function startSampler(options: SamplerOptions): { close(): Promise<void> } {
  const { db, log, id, periodMs } = options;
  const leaseMs = leasePeriods * periodMs;
  /** By the monotonic clock. */
  let leasedUntil = Number.NEGATIVE_INFINITY;
  let sampledAt: number | null = null;
  const failing = new Set<string>();
  const rounds = beginRounds();

  metrics.beforeSamplesAreRead(() => {
    const now = performance.now();
    if (now >= leasedUntil) drop();
    else if (sampledAt !== null) metrics.samples.age.set((now - sampledAt) / 1_000);
  });

  function drop(): void {
    leasedUntil = Number.NEGATIVE_INFINITY;
    sampledAt = null;
    metrics.dropSamples();
  }

  async function once(): Promise<void> {
    const heldFrom = performance.now();
    if (!(await leaseSamples(db, id, leaseMs))) return drop();
    leasedUntil = heldFrom + leaseMs;
    const takenAt = performance.now();
    const renewal = every('sample lease', leaseMs / renewals, () => renew(takenAt), log);
    const { figures, failures } = await sampleUntilClosed(renewal);
    logFailures(failures);
    const storedFrom = performance.now();
    if (!(await storeSample(db, id, figures))) return drop();
    leasedUntil = storedFrom + leaseMs;
    exportSample(figures);
    if (failures.size === 0) sampledAt = takenAt;
    await removeEndedProcesses(db);
  }

  async function sampleUntilClosed(renewal: { close(): Promise<void> }): Promise<Sample> {
    try {
      return await takeSample(db, rounds);
    } finally {
      await renewal.close();
    }
  }

  /** Queries that are slow must not let another process begin the same ones. A sample that hangs ends the lease. */
  async function renew(sampleBegan: number): Promise<void> {
    const from = performance.now();
    if (from - sampleBegan > longestSampleMs) return;
    if (await leaseSamples(db, id, leaseMs).catch(() => false)) leasedUntil = from + leaseMs;
  }

  /** Says once that a query fails, and once that it succeeds again. */
  function logFailures(failures: ReadonlyMap<string, unknown>): void {
    for (const [query, error] of failures)
      if (!failing.has(query)) log.tell('sample-query-failed', { err: error, query });
    for (const query of failing.difference(failures)) log.tell('sample-query-succeeds', { query });
    failing.clear();
    for (const query of failures.keys()) failing.add(query);
  }

  let isAway = false;
  const sampling = every(
    'sample',
    periodMs,
    async () => {
      try {
        await once();
        if (isAway) log.tell('sample-taken-again');
        isAway = false;
      } catch (error) {
        if (!isAway) log.tell('sample-not-taken', { err: error });
        isAway = true;
      }
    },
    log,
  );
  return {
    async close() {
      await endOfWork(sampling.close());
      const held = performance.now() < leasedUntil;
      drop();
      // Without the release the lease ends by itself.
      if (held) await endOfWork(releaseSamples(db, id));
    },
  };
}
