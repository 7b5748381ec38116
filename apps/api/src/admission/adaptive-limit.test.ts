import { type AdaptiveLimit, createAdaptiveLimit } from './adaptive-limit.ts';

interface Clocked extends AdaptiveLimit {
  /** Lets so many windows pass, in which everything takes so many ms. */
  pass(windows: number, tookMs: number, isWanted: boolean): void;
}

function clocked(first: number): Clocked {
  let now = 0;
  const limit = createAdaptiveLimit({ least: 64, most: 1_024, first, goalMs: 250, now: () => now });
  return Object.assign(Object.create(limit) as AdaptiveLimit, {
    pass(windows: number, tookMs: number, isWanted: boolean) {
      for (let window = 0; window < windows; window += 1) {
        if (isWanted) limit.wanted();
        for (let work = 0; work < 20; work += 1) limit.ended(tookMs);
        now += 101;
        limit.ended(tookMs);
      }
    },
  });
}

test('grows while it is wanted and work is quick, up to its bound', () => {
  const limit = clocked(256);
  limit.pass(5, 20, true);
  expect(limit.value).toBeGreaterThan(350);
  limit.pass(100, 20, true);
  expect(limit.value).toBe(1_024);
});

test('stays as it is while nothing waits', () => {
  const limit = clocked(256);
  limit.pass(100, 20, false);
  expect(limit.value).toBe(256);
});

test('falls within a second when work is slow, down to its bound', () => {
  const limit = clocked(1_024);
  limit.pass(10, 400, true);
  expect(limit.value).toBeLessThan(150);
  limit.pass(50, 400, true);
  expect(limit.value).toBe(64);
});

test('where work is slow by itself, the limit does not fall', () => {
  const limit = clocked(256);
  limit.pass(100, 240, false);
  limit.pass(20, 500, true);
  expect(limit.value).toBe(1_024);
});

test('some slow work among much does not make it fall', () => {
  let now = 0;
  const limit = createAdaptiveLimit({ least: 64, most: 1_024, first: 256, goalMs: 250, now: () => now });
  for (let work = 0; work < 100; work += 1) limit.ended(work < 5 ? 900 : 20);
  now = 200;
  limit.ended(20);
  expect(limit.value).toBe(256);
});
