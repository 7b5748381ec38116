import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { memoryEnvironment, memoryFlags } from './memory.ts';

/** Keeps much of what is new, as a busy process does, and tells the bytes that V8 has taken for it. */
const program = `
  const kept = [];
  for (let turn = 0; turn < 2_000_000; turn += 1) kept[turn % 300_000] = { turn, of: [turn] };
  const { getHeapSpaceStatistics } = require('node:v8');
  console.log(getHeapSpaceStatistics().find((one) => one.space_name === 'new_space').space_size);`;

function run(...args: string[]): string {
  return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout;
}

test('what is new takes no more than the two halves that Node is started with', () => {
  expect(Number(run(...memoryFlags, '--eval', program))).toBeLessThan(36_000_000);
});

test('this V8 has the flag that is set while it runs, which it would else pass over', () => {
  expect(run('--v8-options')).toContain('--heap-growing-percent');
});

test('what was compiled is kept beside the packages', () => {
  expect(existsSync(path.join(memoryEnvironment.NODE_COMPILE_CACHE, '../../pino'))).toBe(true);
});
