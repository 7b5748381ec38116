import { metrics } from '@notify/telemetry';

/*
 * A module for `node --import`: nothing is recorded in this process, so that `benchmarks/metrics.ts` can tell what recording
 * costs. METRICS=off alone only takes away the page and what is measured of every process.
 */
const none = (): void => undefined;
const child = { inc: none, dec: none, set: none, observe: none };
for (const metric of metrics.registry.getMetricsAsArray())
  Object.assign(metric, { ...child, labels: () => child });
