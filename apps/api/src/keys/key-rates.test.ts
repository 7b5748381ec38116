import type { RateCounter } from '../http/rate-store.ts';
import { createKeyRates, type KeyRates } from './key-rates.ts';

/** Counts in memory, as the shared store does, and remembers each call. */
function storeAt(clock: { now: number }) {
  const counts = new Map<string, { total: number; endsAt: number }>();
  const told: number[] = [];
  const counter: RateCounter = {
    async add(key, points) {
      await new Promise(setImmediate);
      told.push(points);
      const known = counts.get(key);
      const count =
        known !== undefined && known.endsAt > clock.now ? known : { total: 0, endsAt: clock.now + 60_000 };
      count.total += points;
      counts.set(key, count);
      return { total: count.total, resetMs: count.endsAt - clock.now };
    },
  };
  return { counter, told };
}

async function allowed(rates: KeyRates, limit: number, requests: number): Promise<number> {
  const results = await Promise.all(Array.from({ length: requests }, () => rates.take('key', limit)));
  return results.filter((rate) => rate.allowed).length;
}

test('a low limit is exact across two processes and under many simultaneous requests', async () => {
  const clock = { now: 0 };
  const { counter } = storeAt(clock);
  const processes = [createKeyRates(counter, () => clock.now), createKeyRates(counter, () => clock.now)];
  const counts = await Promise.all(processes.map((rates) => allowed(rates, 50, 100)));
  expect(counts[0]! + counts[1]!).toBe(50);
});

test('a high limit is exact in one process, with a hundred writes to the store', async () => {
  const clock = { now: 0 };
  const { counter, told } = storeAt(clock);
  const rates = createKeyRates(counter, () => clock.now);
  let count = 0;
  for (let request = 0; request < 1_500; request += 1) {
    if ((await rates.take('key', 1_000)).allowed) count += 1;
  }
  expect(count).toBe(1_000);
  expect(told.length).toBeLessThanOrEqual(102);
});

test('over four processes less than 2 % for each other process gets through above the limit', async () => {
  const clock = { now: 0 };
  const { counter } = storeAt(clock);
  const processes = Array.from({ length: 4 }, () => createKeyRates(counter, () => clock.now));
  let count = 0;
  for (let round = 0; round < 500; round += 1) {
    const rates = await Promise.all(processes.map((process) => process.take('key', 1_000)));
    count += rates.filter((rate) => rate.allowed).length;
  }
  expect(count).toBeGreaterThanOrEqual(1_000);
  expect(count).toBeLessThan(1_060);
});

test('the remaining count goes down, and a new minute starts afresh', async () => {
  const clock = { now: 0 };
  const rates = createKeyRates(storeAt(clock).counter, () => clock.now);
  expect(await rates.take('key', 2)).toEqual({ allowed: true, remaining: 1, resetMs: 60_000 });
  clock.now = 20_000;
  expect(await rates.take('key', 2)).toEqual({ allowed: true, remaining: 0, resetMs: 40_000 });
  expect(await rates.take('key', 2)).toEqual({ allowed: false, remaining: 0, resetMs: 40_000 });
  expect(await rates.take('other', 2)).toMatchObject({ allowed: true });
  clock.now = 60_000;
  expect(await rates.take('key', 2)).toEqual({ allowed: true, remaining: 1, resetMs: 60_000 });
});

test('a batch is allowed whole or refused whole, and a refused batch is not counted', async () => {
  const clock = { now: 0 };
  const rates = createKeyRates(storeAt(clock).counter, () => clock.now);
  expect(await rates.take('key', 250, 100)).toMatchObject({ allowed: true, remaining: 150 });
  expect(await rates.take('key', 250, 100)).toMatchObject({ allowed: true, remaining: 50 });
  expect(await rates.take('key', 250, 100)).toEqual({ allowed: false, remaining: 50, resetMs: 60_000 });
  expect(await rates.take('key', 250, 50)).toMatchObject({ allowed: true, remaining: 0 });
  expect(await rates.take('other', 99, 100)).toEqual({ allowed: false, remaining: 0, resetMs: 60_000 });
});
