/** How a panel draws its series: one number each, or a line each over time, or one row each in a table. */
export type PanelKind = 'number' | 'lines' | 'table';

/** Grafana's names of units (https://grafana.com/docs/grafana/latest/panels-visualizations/configure-standard-options/#unit). */
export const units = {
  seconds: 's',
  perSecond: 'ops',
  count: 'short',
  share: 'percentunit',
  bytes: 'bytes',
  /** A duration, in words: `2 weeks`. */
  duration: 'dtdurations',
} as const;

export type Unit = keyof typeof units;

/** From which value on a panel turns red. */
export interface Threshold {
  readonly value: number;
  /** Whether values below it are the bad ones. */
  readonly below?: true;
  /**
   * The alert in ops/prometheus/rules.yml with the same value, and where its expression, or that of a rule which it uses,
   * says so: `> 60`. Null where no alert exists.
   */
  readonly alert: { readonly name: string; readonly compares: string } | null;
}

export interface Series {
  /** PromQL. It may use `$__rate_interval`, and the variables of its board. */
  readonly expr: string;
  /** The name of the series: a text, or labels such as `{{lane}}`. */
  readonly legend: string;
}

export interface Panel {
  readonly title: string;
  /** Plain sentences: what the panel shows, and when to worry. */
  readonly about: string;
  readonly kind: PanelKind;
  readonly unit: Unit;
  /** Of the 24 columns of a board. */
  readonly width: number;
  readonly series: readonly Series[];
  readonly threshold?: Threshold;
}

/** A heading with the panels below it. The widths of the panels fill whole lines of 24 columns. */
export interface Section {
  readonly title: string;
  readonly panels: readonly Panel[];
}

export interface Board {
  /** The name of its file, and the end of its address in Grafana. */
  readonly name: string;
  readonly title: string;
  readonly about: string;
  /** Whether the operator can choose a kind of process, and single processes. */
  readonly byProcess: boolean;
  readonly sections: readonly Section[];
}

/** The 99th percentile of a histogram, by labels. Null groups by nothing else. */
export function p99(histogram: string, by: string | null = null, selector = ''): string {
  return quantile(0.99, histogram, by, selector);
}

/** The median of a histogram, by labels. */
export function p50(histogram: string, by: string | null = null, selector = ''): string {
  return quantile(0.5, histogram, by, selector);
}

function quantile(share: number, histogram: string, by: string | null, selector: string): string {
  const labels = by === null ? 'le' : `le, ${by}`;
  return `histogram_quantile(${share}, sum by (${labels}) (rate(${histogram}_bucket${selector}[$__rate_interval])))`;
}

/** The sends of single messages, as the alerts about accepts select them. */
export const sends = 'method="POST", route=~"/v1/notify/:channel/(text|media|template)"';

/** How often a counter grew in a second, by labels. Null sums all. */
export function rate(counter: string, by: string | null = null): string {
  const sum = by === null ? 'sum' : `sum by (${by})`;
  return `${sum} (rate(${counter}[$__rate_interval]))`;
}

/**
 * A metric of the chosen processes, with the label `process` that says of which kind each is. Use it where every process
 * has the metric: it drops the series of other programs. `of` names the metric, and may put it into a function.
 */
export function ofChosen(of: (selector: string) => string): string {
  return `${of('{instance=~"$instance"}')} * on (instance) group_left (process) notify_build_info`;
}

/** The legend of `ofChosen`. */
export const chosen = '{{process}} {{instance}}';
