import { createTimings, timesTable } from './timings.ts';

test('the times of sends are those of the phase in which they began', () => {
  const timings = createTimings();
  timings.begin('before');
  for (let ms = 1; ms <= 200; ms += 1) timings.answered(ms / 1_000_000);
  timings.begin('after');
  // It began long before the second phase, and even before the first.
  timings.answered(60_000);
  const [before, after] = timings.read();
  expect(before).toMatchObject({ phase: 'before', sends: 200, p50: 0.0001, p99: 0.000198, slowest: 0.0002 });
  expect(after).toMatchObject({ phase: 'after', sends: 0, p99: 0 });
  expect(timesTable(timings.read()).split('\n')[1]).toMatch(/^before +200 +0 ms +0 ms +0 ms$/);
});
