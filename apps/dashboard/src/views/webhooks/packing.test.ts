import { packingInWords, packingOf, packingValues } from './packing.ts';

test('inputs hold a packing, and propose limits where there are none', () => {
  const batch = { mode: 'batch', maxEvents: 20, maxWaitMs: 0 } as const;
  expect(packingOf(packingValues(batch))).toEqual(batch);
  expect(packingOf(packingValues({ mode: 'single' }))).toEqual({ mode: 'single' });
  expect(packingOf({ ...packingValues({ mode: 'single' }), mode: 'batch' })).toEqual({
    mode: 'batch',
    maxEvents: 100,
    maxWaitMs: 1_000,
  });
});

test('a packing is told in words', () => {
  expect(packingInWords({ mode: 'single' })).toBeNull();
  expect(packingInWords({ mode: 'batch', maxEvents: 20, maxWaitMs: 0 })).toBe('Up to 20 events per request');
  expect(packingInWords({ mode: 'batch', maxEvents: 1, maxWaitMs: 1_500 })).toBe(
    'Up to 1 event per request, after at most 1,500 ms',
  );
});
