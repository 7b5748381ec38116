import { hostname } from 'node:os';
import type { Db } from '@notify/db/connection';
import { beat, endProcess, type LogLevelToTake } from '@notify/db/operations';
import { every, type Log } from '@notify/runtime';
import { metrics } from '@notify/telemetry';
import { endOfWork } from './end-of-work.ts';
import { openFigures } from './process-figures.ts';

export const heartbeatMs = 5_000;
/** An answer that took longer says too little about the clock. */
const longestRoundTripMs = 1_000;

export interface HeartbeatOptions {
  readonly db: Db;
  readonly log: Log;
  /** The process's id: `processId` of `@notify/db/connection`. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** `host:port` of its health checks and metrics, or null. */
  readonly health: string | null;
  /** Takes the levels of logs that are in force for this process, with every heartbeat; usually none. */
  readonly onLogLevels: (levels: readonly LogLevelToTake[]) => void;
  /** Default 5 s. */
  readonly periodMs?: number;
}

/**
 * Shows this process in the table `processes`, with its figures, until it is closed. Each heartbeat also measures the
 * skew of this process's clock. While the database is away, the process goes on; the log says it once.
 */
export function startHeartbeat(options: HeartbeatOptions): { close(): Promise<void> } {
  const { db, log, id, onLogLevels, periodMs = heartbeatMs } = options;
  const figures = openFigures();
  const about = { ...aboutProcess(options), startedAt: new Date() };
  let storedAt = performance.now();
  let isAway = false;
  metrics.readAtScrape(metrics.heartbeatAge, () =>
    metrics.heartbeatAge.set((performance.now() - storedAt) / 1_000),
  );

  async function once(): Promise<void> {
    const heartbeat = { ...about, figures: await figures.read() };
    const before = { clock: Date.now(), at: performance.now() };
    const { nowMs, logLevels } = await beat(db, heartbeat);
    storedAt = performance.now();
    const tookMs = storedAt - before.at;
    if (tookMs <= longestRoundTripMs) metrics.clockSkew.set((before.clock + tookMs / 2 - nowMs) / 1_000);
    onLogLevels(logLevels);
  }

  const beating = every(
    'heartbeat',
    periodMs,
    async () => {
      try {
        await once();
        if (isAway) log.tell('heartbeat-stored-again');
        isAway = false;
      } catch (error) {
        if (!isAway) log.tell('heartbeat-not-stored', { err: error });
        isAway = true;
      }
    },
    log,
  );
  return {
    async close() {
      await endOfWork(beating.close());
      figures.close();
      // Without the removal the row counts as ended after 15 s.
      await endOfWork(endProcess(db, id));
    },
  };
}

function aboutProcess({ id, name, version, health }: HeartbeatOptions) {
  return { id, name, version, host: hostname(), pid: process.pid, health };
}
