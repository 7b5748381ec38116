import fc from 'fast-check';
import { bucketsPerDoubling, quantileMs } from './histogram.ts';

const bucketOf = (ms: number) => Math.floor(bucketsPerDoubling * Math.log2(ms));

function histogramOf(values: readonly number[]): Map<number, number> {
  const histogram = new Map<number, number>();
  for (const ms of values) histogram.set(bucketOf(ms), (histogram.get(bucketOf(ms)) ?? 0) + 1);
  return histogram;
}

test('quantiles are within 10 % of those of the values themselves', () => {
  const values = fc.array(fc.integer({ min: 5, max: 604_800_000 }), { minLength: 1, maxLength: 200 });
  fc.assert(
    fc.property(values, fc.constantFrom(0, 0.5, 0.95, 1), (all, share) => {
      const sorted = all.toSorted((a, b) => a - b);
      const exact = sorted[Math.max(1, Math.ceil(share * all.length)) - 1]!;
      expect(Math.abs(quantileMs(histogramOf(all), share)! - exact)).toBeLessThanOrEqual(0.1 * exact + 0.5);
    }),
  );
});

test('histograms can be added up in any order', () => {
  expect(quantileMs(new Map([[40, 1], [8, 1], [20, 2]]), 0.5)).toBe(quantileMs(new Map([[20, 2], [40, 1], [8, 1]]), 0.5)); // prettier-ignore
});

test('an empty histogram has no quantile', () => {
  expect(quantileMs(new Map(), 0.5)).toBeNull();
  expect(quantileMs(new Map([[3, 0]]), 0.5)).toBeNull();
});
