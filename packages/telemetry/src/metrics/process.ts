import { collectDefaultMetrics } from 'prom-client';
import { measureEventLoop } from './event-loop.ts';
import { gauge, registry } from './registry.ts';

export const build = gauge('build_info', 'Always 1; the labels say what runs', [
  'process',
  'version',
  'node',
]);
/** Set by every process, from the database’s clock. */
export const clockSkew = gauge('clock_skew_seconds', 'How far this clock is ahead of the database’s', []);
/** Set with the heartbeat. */
export const heartbeatAge = gauge('heartbeat_age_seconds', 'Time since the last heartbeat was stored', []);

let measured = false;

/** Starts what is measured of every process: memory, CPU, event-loop lag and garbage collection. */
export function measureProcess(process: string, version: string): void {
  build.set({ process, version, node: globalThis.process.versions.node }, 1);
  if (measured) return;
  measured = true;
  // Its own look at the event loop wakes an idle process 100 times a second; `event-loop.ts` does that for less.
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: never });
  measureEventLoop();
}

/** The longest interval of a timer, in ms: 25 days. */
const never = 2 ** 31 - 1;
