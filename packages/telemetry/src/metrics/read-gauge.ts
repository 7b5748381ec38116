import { Gauge, type MetricObjectWithValues, type MetricValue } from 'prom-client';
import { prefix, registry } from './registry.ts';

/** A gauge that each scrape reads. What it shows changes too often to be set at every change. */
export interface ReadGauge<Label extends string> {
  /**
   * Adds a value to read. Values of the same labels are added up. Call the result when there is nothing to read any
   * more.
   */
  read(labels: Readonly<Record<Label, string>>, value: () => number): () => void;
  /** The values now, as a scrape shows them. */
  get(): Promise<MetricObjectWithValues<MetricValue<Label>>>;
}

/** A number that grows and shrinks, and is read at the scrape. Labels that were read before and no longer are show 0. */
export function readGauge<Label extends string>(
  name: string,
  help: string,
  labels: readonly Label[],
): ReadGauge<Label> {
  const sources = new Set<{ labels: Readonly<Record<Label, string>>; value: () => number }>();
  const known = new Map<string, Readonly<Record<Label, string>>>();
  const gauge = new Gauge({
    name: prefix + name,
    help,
    labelNames: labels,
    registers: [registry],
    collect() {
      for (const one of known.values()) this.set(one, 0);
      for (const source of sources) this.inc(source.labels, source.value());
    },
  });
  return {
    get: () => gauge.get(),
    read(of, value) {
      const source = { labels: of, value };
      sources.add(source);
      known.set(JSON.stringify(Object.values(of)), of);
      return () => void sources.delete(source);
    },
  };
}
