import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type FileTimes, timesVariable } from './file-times.ts';

/*
 * `npm run test-times -- <arguments of Jest>` runs tests and tells where their time goes: a table of all test files, the
 * slowest first, sums per project, and how long processes of the service take until they are ready. It exits as Jest does.
 * `-- --read <file>` prints the tables of an earlier run instead, whose TEST_TIMES named that file.
 */

const shownFiles = 40;

async function main(args: readonly string[]): Promise<number> {
  if (args[0] === '--read') {
    print(await readTimes(args[1] ?? ''));
    return 0;
  }
  const folder = await mkdtemp(path.join(tmpdir(), 'test-times-'));
  const to = path.join(folder, 'times');
  try {
    const jest = spawn(process.execPath, [...process.execArgv, 'node_modules/jest/bin/jest.js', ...args], {
      stdio: 'inherit',
      env: { ...process.env, [timesVariable]: to },
    });
    const [code] = (await once(jest, 'exit')) as [number | null];
    print(await readTimes(to));
    return code ?? 1;
  } finally {
    await rm(folder, { recursive: true });
  }
}

async function readTimes(file: string): Promise<FileTimes[]> {
  const lines = (await readFile(file, 'utf8')).trim().split('\n');
  return lines.map((line) => JSON.parse(line) as FileTimes).sort((one, other) => other.wallMs - one.wallMs);
}

function print(files: readonly FileTimes[]): void {
  const columns = ['wall', 'loading', 'CPU', 'CPU of children', 'waiting', 'started'];
  const row = (name: string, of: readonly FileTimes[]): string => {
    const sum = (value: (one: FileTimes) => number): number => of.reduce((all, one) => all + value(one), 0);
    const waiting = Math.max(
      0,
      sum(({ wallMs, cpuMs, childCpuMs }) => wallMs - cpuMs - childCpuMs),
    );
    const times = [
      sum(({ wallMs }) => wallMs),
      sum(({ loadMs }) => loadMs),
      sum(({ cpuMs }) => cpuMs),
      sum(({ childCpuMs }) => childCpuMs),
      waiting,
    ];
    return [...times.map((ms) => (ms / 1_000).toFixed(1)), String(sum(({ started }) => started))]
      .map((cell, index) => cell.padStart(columns[index]!.length + 2))
      .join('')
      .concat(`  ${name}`);
  };
  const head = `${columns.map((column) => `  ${column}`).join('')}  (times in s)`;
  console.log(`\nThe slowest ${shownFiles} of ${files.length} test files\n${head}`);
  for (const one of files.slice(0, shownFiles)) console.log(row(one.file, [one]));
  console.log(`\nSums\n${head}`);
  for (const [project, of] of Map.groupBy(files, ({ project }) => project))
    console.log(row(`${project}: ${of.length} files`, of));
  console.log('\nProcesses of the service until ready: how many, median and longest in s');
  for (const [name, of] of Map.groupBy(
    files.flatMap(({ ready }) => ready),
    ({ name }) => name,
  )) {
    const times = of.map(({ ms }) => ms).sort((one, other) => one - other);
    console.log(`  ${name}: ${times.length}, ${seconds(times[times.length >> 1])}, ${seconds(times.at(-1))}`);
  }
}

const seconds = (ms = 0): string => (ms / 1_000).toFixed(1);

process.exitCode = await main(process.argv.slice(2));
