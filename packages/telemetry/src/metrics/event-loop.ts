import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Gauge } from 'prom-client';
import { registry, readAtScrape } from './registry.ts';

/**
 * How often a timer looks whether it is late, in ms. Every 10 ms would cost an idle process 1 % of a CPU, every 100 ms
 * costs 0.1 %. A delay of less than this may go unseen; it is the longer ones that hurt.
 */
const everyMs = 100;

const shown = {
  mean: 'mean',
  p50: 'median',
  p90: '90th percentile',
  p99: '99th percentile',
  max: 'longest',
} as const;

/** How long a window is, in ms. Scrapes show the last whole one, and the longest delay also of the one that runs. */
const windowMs = 30_000;

type Figures = Readonly<Record<keyof typeof shown, number>>;

/**
 * Measures how late timers fire, in fixed windows: reading changes nothing, so several scrapers see the same. It
 * replaces what prom-client (15) exports under the same names, which includes the interval of the timer itself.
 */
export function measureEventLoop(everyWindowMs = windowMs): void {
  const delays = monitorEventLoopDelay({ resolution: everyMs });
  delays.enable();
  for (const metric of registry.getMetricsAsArray())
    if (metric.name.startsWith('nodejs_eventloop_lag')) registry.removeSingleMetric(metric.name);
  const names = Object.keys(shown) as (keyof typeof shown)[];
  const gauges = names.map((name) => ({
    name,
    gauge: new Gauge({
      name: `nodejs_eventloop_lag_${name}_seconds`,
      help: `How late timers fired in a window of 30 s: ${shown[name]}`,
      registers: [registry],
    }),
  }));
  let last: Figures | null = null;
  setInterval(() => {
    last = figuresOf(delays);
    delays.reset();
  }, everyWindowMs).unref();
  readAtScrape(gauges[0]!.gauge, () => {
    const current = figuresOf(delays);
    const seen = last ?? current;
    for (const { name, gauge } of gauges)
      gauge.set(name === 'max' ? Math.max(seen.max, current.max) : seen[name]);
  });
}

/** In seconds. */
function figuresOf(delays: ReturnType<typeof monitorEventLoopDelay>): Figures {
  // Without a look in the window, the mean is not a number.
  const late = (delayNs: number): number =>
    delays.count === 0 ? 0 : Math.max(0, delayNs / 1e6 - everyMs) / 1_000;
  return {
    mean: late(delays.mean),
    p50: late(delays.percentile(50)),
    p90: late(delays.percentile(90)),
    p99: late(delays.percentile(99)),
    max: late(delays.max),
  };
}
