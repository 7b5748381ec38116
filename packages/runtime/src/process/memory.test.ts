import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { memoryEnvironment, memoryFlags } from './memory.ts';

/** Keeps many new objects, as a busy process does, and prints the size of V8's space for new objects, in bytes. */
const program = `
  const kept = [];
  for (let turn = 0; turn < 2_000_000; turn += 1) kept[turn % 300_000] = { turn, of: [turn] };
  const { getHeapSpaceStatistics } = require('node:v8');
  console.log(getHeapSpaceStatistics().find((one) => one.space_name === 'new_space').space_size);`;

function run(...args: string[]): string {
  return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout;
}

test('new objects take no more than the two halves that Node is started with', () => {
  expect(Number(run(...memoryFlags, '--eval', program))).toBeLessThan(36_000_000);
});

test('this V8 has the flags that are set at run time, because it would ignore an unknown one', () => {
  const options = run('--v8-options');
  for (const flag of ['--heap-growing-percent', '--allocation-site-pretenuring'])
    expect(options).toContain(flag);
});

test('compiled code is kept beside the packages', () => {
  expect(existsSync(path.join(memoryEnvironment.NODE_COMPILE_CACHE, '../../pino'))).toBe(true);
});

/** Lets go of many old objects without making new ones, and prints how many bytes are given back soon after. */
const started = `
  import { setTimeout as wait } from 'node:timers/promises';
  import { collectAfterStart } from '${new URL('memory.ts', import.meta.url).href}';
  let kept = Array.from({ length: 300_000 }, (_, index) => ({ index, of: [index] }));
  collectAfterStart(10);
  const { heapUsed } = process.memoryUsage();
  kept = null;
  await wait(20);
  console.log(heapUsed - process.memoryUsage().heapUsed);`;

test('what only the start needed is given back after it', () => {
  expect(Number(run('--input-type=module', '--eval', started))).toBeGreaterThan(10_000_000);
});
