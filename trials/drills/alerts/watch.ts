import { setTimeout as wait } from 'node:timers/promises';
import type { AlertingPrometheus, FiringAlert } from './prometheus.ts';

/** When an alert fired. Times are of the monotonic clock, in ms. */
export interface Episode {
  readonly name: string;
  readonly severity: string;
  readonly beganAt: number;
  /** Null while it fires. */
  readonly endedAt: number | null;
}

/** Asks Prometheus for firing alerts, again and again. */
export interface Watch {
  /** Every time that an alert fired, in the order of their beginnings. */
  readonly episodes: readonly Episode[];
  firing(): readonly Episode[];
  stop(): Promise<void>;
}

const lookMs = 500;

/** An alert fires as one, however many of its label sets do. */
export function watchAlerts(prometheus: Pick<AlertingPrometheus, 'firing'>): Watch {
  const episodes: { -readonly [Key in keyof Episode]: Episode[Key] }[] = [];
  const stopped = new AbortController();
  const open = (): typeof episodes => episodes.filter(({ endedAt }) => endedAt === null);

  function see(alerts: readonly FiringAlert[]): void {
    const now = performance.now();
    const names = new Map(alerts.map(({ name, severity }) => [name, severity]));
    for (const episode of open()) if (!names.delete(episode.name)) episode.endedAt = now;
    for (const [name, severity] of names) episodes.push({ name, severity, beganAt: now, endedAt: null });
  }

  const watching = (async () => {
    while (!stopped.signal.aborted) {
      see(await prometheus.firing());
      await wait(lookMs, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  })();
  return {
    episodes,
    firing: open,
    async stop() {
      stopped.abort();
      await watching;
    },
  };
}
