import { jest } from '@jest/globals';
import { createPacer } from './pacer.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test('runs at once, then once for all that came in the meantime', () => {
  let runs = 0;
  const pacer = createPacer(() => (runs += 1), 1_000);
  pacer.ask();
  expect(runs).toBe(1);
  for (let time = 0; time < 9; time += 1) {
    jest.advanceTimersByTime(100);
    pacer.ask();
  }
  expect(runs).toBe(1);
  jest.advanceTimersByTime(100);
  expect(runs).toBe(2);
  jest.advanceTimersByTime(5_000);
  expect(runs).toBe(2);
});

test('a run that was stopped never comes', () => {
  let runs = 0;
  const pacer = createPacer(() => (runs += 1), 1_000);
  pacer.ask();
  pacer.ask();
  pacer.stop();
  jest.advanceTimersByTime(5_000);
  expect(runs).toBe(1);
});
