/**
 * A histogram of durations whose buckets grow by the same factor, so that histograms of any times can be added up.
 * Bucket n counts what took from 2^(n/4) to 2^((n+1)/4) ms; what took less than 1 ms counts as 1 ms.
 */
export type Histogram = ReadonlyMap<number, number>;

/** Four: no value is further than 9.1 % (2^(1/8) - 1) from the middle of its bucket. */
export const bucketsPerDoubling = 4;

/** The middle of a bucket, in whole ms, by the factor that its ends are away. */
export function bucketMiddleMs(bucket: number): number {
  return Math.round(2 ** ((bucket + 0.5) / bucketsPerDoubling));
}

/**
 * What `share` (0 to 1) of the values do not exceed, in ms, to within a bucket: the value of that rank (nearest rank).
 * Null when there is none.
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
