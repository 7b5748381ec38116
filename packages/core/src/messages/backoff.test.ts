import { dispatchBackoffMs, throttlePauseMs, webhookWaitMs, webhookWaitsMs } from './backoff.ts';

test('webhook waits are never early and at most 20 % late, and end after the ninth', () => {
  for (const [index, base] of webhookWaitsMs.entries()) {
    expect(webhookWaitMs(index + 1, () => 0)).toBe(base);
    expect(webhookWaitMs(index + 1, () => 0.999_999_999)).toBe(base * 1.2);
  }
  expect(webhookWaitMs(webhookWaitsMs.length + 1, () => 0)).toBeNull();
});

test('the schedule spans about 28 hours', () => {
  const hours = webhookWaitsMs.reduce((sum, wait) => sum + wait, 0) / 3_600_000;
  expect(hours).toBeCloseTo(27.7, 1);
});

test.each([
  [60_000, 60_000],
  [1_000, 5_000],
  [10 ** 12, 3_600_000],
])('a Retry-After of %i ms makes the first wait %i ms', (wished, waited) => {
  expect(webhookWaitMs(1, () => 0, wished)).toBe(waited);
});

test('dispatch waits spread over the whole range', () => {
  expect(dispatchBackoffMs(3, () => 0)).toBe(0);
  expect(dispatchBackoffMs(3, () => 0.5)).toBe(16_000);
});

test('a throttled account pauses twice as long each time, up to a minute', () => {
  expect([0, 1, 2, 5, 6, 1_000].map(throttlePauseMs)).toEqual([1_000, 2_000, 4_000, 32_000, 60_000, 60_000]);
});
