import { Counter, Gauge, Histogram, Registry } from 'prom-client';

/** Every metric of this process, in the Prometheus text format at `/metrics`. */
export const registry = new Registry();

/** Every name of ours begins with it. */
export const prefix = 'notify_';

/** A number that only grows, such as calls made. Names end in `_total`. */
export function counter<Label extends string>(
  name: string,
  help: string,
  labels: readonly Label[],
): Counter<Label> {
  return new Counter({ name: prefix + name, help, labelNames: labels, registers: [registry] });
}

/** A number that grows and shrinks, such as calls in flight. */
export function gauge<Label extends string>(
  name: string,
  help: string,
  labels: readonly Label[],
): Gauge<Label> {
  return new Gauge({ name: prefix + name, help, labelNames: labels, registers: [registry] });
}

/** How often a value lay under each of some bounds, such as how long calls took. Times are in seconds. */
export function histogram<Label extends string>(
  name: string,
  help: string,
  labels: readonly Label[],
  buckets: readonly number[],
): Histogram<Label> {
  return new Histogram({
    name: prefix + name,
    help,
    labelNames: labels,
    buckets: [...buckets],
    registers: [registry],
  });
}

/** Has `set` set gauges at each scrape, before this one is read. It must take the values from memory. */
export function readAtScrape<Label extends string>(gauge: Gauge<Label>, set: () => void): void {
  Object.assign(gauge, { collect: set });
}

/** The bounds of what takes milliseconds, in seconds: statements, commits, turns. */
export const shortSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];
/**
 * The bounds of requests, in seconds. Few, because each route has them: a scrape of an api would have twice the text. The
 * objective needs 0.25.
 */
export const requestSeconds = [0.005, 0.025, 0.1, 0.25, 0.5, 1, 5];
/** The bounds of calls over the internet, in seconds. */
export const callSeconds = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];
/** The bounds of what a person waits for, in seconds: up to days. */
export const waitSeconds = [0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 1_800, 7_200, 86_400];
/** The bounds of batches. */
export const counts = [1, 2, 5, 10, 20, 50, 100, 200, 500];
