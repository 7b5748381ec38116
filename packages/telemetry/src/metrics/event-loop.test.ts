import { setTimeout as wait } from 'node:timers/promises';
import { measureEventLoop } from './event-loop.ts';
import { measureProcess } from './process.ts';
import { registry } from './registry.ts';

async function lag(which: string): Promise<number> {
  const text = await registry.metrics();
  return Number(new RegExp(`^nodejs_eventloop_lag_${which}_seconds (\\S+)$`, 'm').exec(text)?.[1] ?? NaN);
}

/** Resolves when a lag is below so many seconds: a busy machine may delay timers now, but not all the time. */
async function untilLagBelow(which: string, seconds: number): Promise<void> {
  while (!((await lag(which)) < seconds)) await wait(100);
}

test('a blocked event loop shows as lag to every scraper, until its window is over', async () => {
  measureProcess('test', '1.0.0');
  measureEventLoop(1_500);
  // The first look only starts the clock of the second.
  await wait(250);
  await untilLagBelow('p50', 0.1);
  const until = performance.now() + 600;
  while (performance.now() < until);
  await wait(250);
  expect(await lag('max')).toBeGreaterThan(0.4);
  expect(await lag('max')).toBeGreaterThan(0.4);
  await untilLagBelow('max', 0.3);
});

test('memory, CPU and garbage collection are measured, and the start is once', async () => {
  measureProcess('test', '1.0.0');
  const text = await registry.metrics();
  const names = ['process_resident_memory_bytes', 'process_cpu_seconds_total', 'nodejs_gc_duration_seconds'];
  expect(names.filter((name) => !text.includes(`\n# TYPE ${name} `))).toEqual([]);
  expect(text).toContain(
    `notify_build_info{process="test",version="1.0.0",node="${process.versions.node}"} 1`,
  );
});
