/** One line of Prometheus' text format. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** The metrics of one or more processes at one time. */
export interface Scraped {
  readonly text: string;
  readonly samples: readonly Sample[];
  /** The sum of all samples of this name that have these labels, among others. 0 if there is none. */
  readonly sum: (name: string, labels?: Sample['labels']) => number;
  /** The sums by the values of one label, without those that are 0. */
  readonly by: (label: string, name: string, labels?: Sample['labels']) => Record<string, number>;
}

/** Asks a process for its metrics, below its `healthUrl`. Rejects unless it answers them. */
export async function scrape(healthUrl: string): Promise<Scraped> {
  const answer = await fetch(`${healthUrl}/metrics`);
  const text = await answer.text();
  if (answer.status !== 200) throw new Error(`${healthUrl}/metrics answered ${answer.status}`);
  return readMetrics(text);
}

/** Reads Prometheus' text format. Values of several texts are added up. */
export function readMetrics(...texts: readonly string[]): Scraped {
  const text = texts.join('\n');
  const samples = text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map(readSample);
  const find = (name: string, labels: Sample['labels']): Sample[] =>
    samples.filter((one) => one.name === name && hasAll(one.labels, labels));
  return {
    text,
    samples,
    sum: (name, labels = {}) => find(name, labels).reduce((sum, { value }) => sum + value, 0),
    by(label, name, labels = {}) {
      const sums: Record<string, number> = {};
      for (const one of find(name, labels)) {
        const key = one.labels[label] ?? '';
        if (one.value !== 0) sums[key] = (sums[key] ?? 0) + one.value;
      }
      return sums;
    },
  };
}

function readSample(line: string): Sample {
  const [, name = '', labels = '', value = ''] = /^([\w:]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  if (name === '') throw new Error(`not a sample: ${line}`);
  const pairs = labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g);
  return {
    name,
    labels: Object.fromEntries(Array.from(pairs, ([, key = '', text = '']) => [key, text])),
    value: Number(value),
  };
}

function hasAll(labels: Sample['labels'], wanted: Sample['labels']): boolean {
  return Object.entries(wanted).every(([name, value]) => labels[name] === value);
}
