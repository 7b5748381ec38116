import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { constants, copyFile, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { endWithNpm, endWithUs } from '@notify/testkit';
import { numberOf, readNames, text } from '../../kit/options.ts';
import { runProgram } from '../../kit/program.ts';
import { spreadOf } from '../../kit/statistics.ts';

/*
 * `npm run bench-versions -- <before> <now>` says what a message costs in one version of the service, divided by what it
 * costs in another. Each argument is a folder with a version in which `npm ci` ran. Both services run at the same time and
 * take turns with short passes, so what else the machine does falls on both. Every start is new, because a process keeps
 * its luck with memory and compiled code for its life. Nothing else should run.
 */
const usage = `npm run bench-versions -- <before> <now> [options]
  --of <kind>      accept (single sends, without workers) or end-to-end (default)
  --starts <n>     how often both are started (default 4)
  --pairs <n>      pairs of passes of each start (default 5)
  --amount <n>     of a pass: seconds of accept (default 3), messages of end-to-end (default 3000)
  --help           prints this text`;

/** CPU of a message in ms, by process. */
type Cost = Readonly<Record<string, number>>;

/** Makes one pass, and resolves with what a message cost. */
type Passes = (amount: number) => Promise<Cost>;

/** Where a version has its benchmarks: now, and in older versions. */
const places = ['trials/bench', 'bench'];
const warmUps = 2;

interface Options {
  readonly before: string;
  readonly now: string;
  readonly of: string;
  readonly starts: number;
  readonly pairs: number;
  readonly amount: number;
}

function readOptions(args: readonly string[]): Options {
  const known = { of: text, starts: text, pairs: text, amount: text };
  const { values, names } = readNames(args, known);
  const { of = 'end-to-end' } = values;
  const [before, now] = names.map((folder) => path.resolve(folder));
  if (before === undefined || now === undefined) throw new Error('it compares the versions in two folders');
  if (!['accept', 'end-to-end'].includes(of)) throw new Error('--of must be accept or end-to-end');
  for (const folder of [before, now])
    if (!existsSync(path.join(folder, 'node_modules')) || placeIn(folder) === undefined)
      throw new Error(`${folder} has no version of the service in which npm ci ran`);
  return {
    before,
    now,
    of,
    starts: numberOf(values, 'starts', 4),
    pairs: numberOf(values, 'pairs', 5),
    amount: numberOf(values, 'amount', of === 'accept' ? 3 : 3_000),
  };
}

async function run(options: Options): Promise<boolean> {
  endWithNpm();
  const ratios: number[] = [];
  for (let start = 1; start <= options.starts; start += 1) {
    const pairs = await runStart(options);
    const ratio = spreadOf(pairs.map(([one, other]) => sumOf(other) / sumOf(one))).median;
    ratios.push(ratio);
    console.log(`start ${start}: ${ratio.toFixed(3)}; ms a message: ${describe(pairs)}`);
  }
  const { median, least, most } = spreadOf(ratios);
  console.log(
    `${options.of}, now ÷ before: ${median.toFixed(3)} (${least.toFixed(3)} to ${most.toFixed(3)})`,
  );
  return true;
}

/** Starts both and returns what a message cost them, pass by pass. */
async function runStart({
  before,
  now,
  of,
  pairs: count,
  amount,
}: Options): Promise<(readonly [Cost, Cost])[]> {
  await using stops = new AsyncDisposableStack();
  const one = await open(before, of, stops);
  const other = await open(now, of, stops);
  for (let round = 0; round < warmUps; round += 1) for (const pass of [one, other]) await pass(amount);
  const pairs: (readonly [Cost, Cost])[] = [];
  for (let round = 0; round < count; round += 1) {
    const isTurned = round % 2 === 1;
    const early = await (isTurned ? other : one)(amount);
    const late = await (isTurned ? one : other)(amount);
    pairs.push(isTurned ? [late, early] : [early, late]);
  }
  return pairs;
}

/** Starts the version in this folder. One that is older than this program gets a copy of it for as long as it runs. */
async function open(folder: string, of: string, stops: AsyncDisposableStack): Promise<Passes> {
  const own = path.resolve(import.meta.dirname, 'passes.ts');
  const file = path.join(folder, placeIn(folder)!, 'versions/passes.ts');
  if (file !== own) {
    await mkdir(path.dirname(file), { recursive: true });
    const isCopied = await copyFile(own, file, constants.COPYFILE_EXCL).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST') throw error;
        return false;
      },
    );
    if (isCopied) stops.defer(() => rm(path.dirname(file), { recursive: true }));
  }
  const child = fork(file, [of], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  endWithUs(child, 'SIGCONT');
  stops.defer(async () => {
    if (child.exitCode !== null) return;
    const exit = once(child, 'exit');
    if (child.connected) child.disconnect();
    await exit;
  });
  await answerOf(child, folder);
  return async (much) => {
    child.send(much);
    return (await answerOf(child, folder)) as Cost;
  };
}

function placeIn(folder: string): string | undefined {
  return places.find((place) => existsSync(path.join(folder, place, 'environment')));
}

async function answerOf(child: ChildProcess, folder: string): Promise<unknown> {
  const ended = once(child, 'exit').then(() => {
    throw new Error(`the version in ${folder} ended`);
  });
  ended.catch(() => undefined);
  const [answer] = (await Promise.race([once(child, 'message'), ended])) as [unknown];
  return answer;
}

function sumOf(cost: Cost): number {
  return Object.values(cost).reduce((sum, ms) => sum + ms, 0);
}

/** The medians of each process, before and now. */
function describe(pairs: readonly (readonly [Cost, Cost])[]): string {
  const median = (of: (pair: readonly [Cost, Cost]) => number | undefined): string =>
    spreadOf(pairs.map((pair) => of(pair) ?? NaN)).median.toFixed(3);
  const names = Object.keys(pairs[0]![1]);
  return names
    .map((name) => `${name} ${median(([one]) => one[name])} → ${median(([, other]) => other[name])}`)
    .join(', ');
}

await runProgram({ usage, readOptions, run });
