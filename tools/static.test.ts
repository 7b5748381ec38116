import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runSteps } from './static.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'notify-static-'));
});
afterEach(() => rm(folder, { recursive: true }));

/** A result without its time. */
const untimed = (printed: string) => printed.replace(/ +\d+\.\d s/, '');

test('a failure is told with its whole output while another step runs', async () => {
  const pipe = path.join(folder, 'pipe');
  await once(spawn('mkfifo', [pipe]), 'exit');
  const printed: string[] = [];
  const failed = await runSteps([`cat ${pipe}`, 'echo one; echo two >&2; exit 3'], 2, (line) => {
    printed.push(untimed(line));
    // The first step ends only now.
    if (printed.length === 1) spawn('sh', ['-c', `echo > ${pipe}`]);
  });
  expect(printed).toEqual(['FAILED  echo one; echo two >&2; exit 3\none\ntwo', `ok  cat ${pipe}`]);
  expect(failed).toEqual(['echo one; echo two >&2; exit 3']);
});

test('no more steps than wanted run at a time, and each runs once', async () => {
  const mark = path.join(folder, 'mark');
  const step = `mkdir ${mark} && rmdir ${mark}`;
  const printed: string[] = [];
  expect(await runSteps(Array(5).fill(step), 1, (line) => printed.push(line))).toEqual([]);
  expect(printed).toHaveLength(5);
});
