/** The median and the extremes of repeated measurements. */
export interface Spread {
  readonly median: number;
  readonly least: number;
  readonly most: number;
}

/** Computes the spread; NaN for an empty list. */
export function spreadOf(values: readonly number[]): Spread {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const median =
    sorted.length % 2 === 1 ? sorted[middle]! : ((sorted[middle - 1] ?? NaN) + (sorted[middle] ?? NaN)) / 2;
  return { median, least: sorted[0] ?? NaN, most: sorted.at(-1) ?? NaN };
}

/** The quantile at `share`, from 0 to 1; NaN for an empty list. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
