import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { PermitFigures, PoolFigures, ProcessFigures, TurnFigures } from '@notify/db/operations';
import { metrics } from '@notify/telemetry';

/** Reads the figures of this process. Rates cover the time since the reading before, or since the start. */
export interface FiguresReader {
  read(): Promise<ProcessFigures>;
  close(): void;
}

type Rates = ProcessFigures['perSecond'];
type Sample = Readonly<{ labels: Partial<Record<string, string | number>>; value: number }>;
type Metric = Readonly<{ get(): Promise<{ values: readonly Sample[] }> }>;

/**
 * Opens a reader of the registry of metrics. It has an own monitor of the event loop, because a scrape resets that of
 * prom-client.
 */
export function openFigures(): FiguresReader {
  const loop = monitorEventLoopDelay({ resolution: 20 });
  loop.enable();
  let before = { at: performance.now(), totals: noTotals };
  return {
    async read() {
      const now = { at: performance.now(), totals: await readTotals() };
      const seconds = Math.max(0.001, (now.at - before.at) / 1_000);
      const perSecond = ratesOf(before.totals, now.totals, seconds);
      before = now;
      const eventLoopLagMs = round(loop.percentile(99) / 1e6);
      loop.reset();
      return { ...(await readStates()), perSecond, eventLoopLagMs, memoryBytes: process.memoryUsage.rss() };
    },
    close: () => loop.disable(),
  };
}

const noTotals: Rates = { requests: 0, accepted: 0, calls: 0, sent: 0, delivered: 0, failed: 0, posts: 0 };

async function readTotals(): Promise<Rates> {
  const { http, accept, providerCalls, messages, posts } = metrics;
  return {
    requests: await sumOf(http.requests),
    accepted: await sumOf(accept.messages, ({ result }) => result === 'accepted'),
    calls: await sumOf(providerCalls.ended),
    sent: await sumOf(messages.reached, ({ status }) => status === 'sent'),
    delivered: await sumOf(messages.reached, ({ status }) => status === 'delivered'),
    failed: await sumOf(messages.reached, ({ status }) => status === 'failed'),
    posts: await sumOf(posts.ended),
  };
}

function ratesOf(before: Rates, now: Rates, seconds: number): Rates {
  const rate = (of: keyof Rates): number => round((now[of] - before[of]) / seconds);
  return {
    requests: rate('requests'),
    accepted: rate('accepted'),
    calls: rate('calls'),
    sent: rate('sent'),
    delivered: rate('delivered'),
    failed: rate('failed'),
    posts: rate('posts'),
  };
}

async function readStates(): Promise<Omit<ProcessFigures, 'perSecond' | 'eventLoopLagMs' | 'memoryBytes'>> {
  return {
    turns: await readTurns(),
    permits: await readPermits(),
    requestsOpen: await sumOf(metrics.http.inProgress),
    streamsOpen: await sumOf(metrics.http.streams),
    devicePartitions: await sumOf(metrics.devices.leased),
    pools: await readPools(),
  };
}

async function readTurns(): Promise<TurnFigures[]> {
  const { running, slots } = metrics.turns;
  return Promise.all(
    (await valuesOf(slots)).map(async ({ labels, value }) => ({
      kind: text(labels['kind']),
      lane: text(labels['lane']),
      running: await sumOf(running, sameAs(labels)),
      slots: value,
    })),
  );
}

async function readPermits(): Promise<PermitFigures[]> {
  const { limit, inUse, waiting } = metrics.permits;
  return Promise.all(
    (await valuesOf(limit)).map(async ({ labels, value }) => ({
      kind: text(labels['kind']),
      lane: text(labels['lane']),
      of: text(labels['of']),
      limit: value,
      inUse: await sumOf(inUse, sameAs(labels)),
      waiting: await sumOf(waiting, sameAs(labels)),
    })),
  );
}

async function readPools(): Promise<PoolFigures[]> {
  const { limit, connections, waiting } = metrics.pools;
  return Promise.all(
    (await valuesOf(limit)).map(async ({ labels, value }) => ({
      pool: text(labels['pool']),
      limit: value,
      used: await sumOf(connections, sameAs({ ...labels, state: 'used' })),
      idle: await sumOf(connections, sameAs({ ...labels, state: 'idle' })),
      waiting: await sumOf(waiting, sameAs(labels)),
    })),
  );
}

async function valuesOf(metric: Metric): Promise<readonly Sample[]> {
  return (await metric.get()).values;
}

async function sumOf(
  metric: Metric,
  isOf: (labels: Sample['labels']) => boolean = () => true,
): Promise<number> {
  const values = await valuesOf(metric);
  return values.reduce((sum, { labels, value }) => (isOf(labels) ? sum + value : sum), 0);
}

function sameAs(wanted: Sample['labels']): (labels: Sample['labels']) => boolean {
  const entries = Object.entries(wanted);
  return (labels) => entries.every(([name, value]) => labels[name] === value);
}

function text(value: string | number | undefined): string {
  return String(value ?? '');
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
