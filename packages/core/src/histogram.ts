/**
 * A histogram of durations whose buckets grow by the same factor, so that histograms of any times can be added up.
 * Bucket n counts durations from 2^(n/4) to 2^((n+1)/4) ms. A duration below 1 ms counts as 1 ms.
 */
export type Histogram = ReadonlyMap<number, number>;

/** With four, each value is within 9.1 % (2^(1/8) - 1) of the middle of its bucket. */
export const bucketsPerDoubling = 4;

/** The geometric middle of a bucket, in whole ms. */
export function bucketMiddleMs(bucket: number): number {
  return Math.round(2 ** ((bucket + 0.5) / bucketsPerDoubling));
}

/**
 * The quantile `share` (0 to 1) of the values, in ms, to within a bucket: the value of that rank (nearest rank). Null
 * without values.
 */
export function quantileMs(histogram: Histogram, share: number): number | null {
  const buckets = [...histogram].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
  const total = buckets.reduce((sum, [, count]) => sum + count, 0);
  const rank = Math.max(1, Math.ceil(share * total));
  let seen = 0;
  for (const [bucket, count] of buckets) {
    seen += count;
    if (seen >= rank) return bucketMiddleMs(bucket);
  }
  return null;
}
