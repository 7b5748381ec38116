import { setTimeout as wait } from 'node:timers/promises';
import { numberOf, readValues, text } from '../kit/options.ts';
import { runProgram } from '../kit/program.ts';
import { readApi } from './api.ts';
import { openClient } from './client.ts';
import { processFaults } from './logs.ts';
import { plansOf } from './plans/plans.ts';
import { goodSettings } from './world/providers.ts';
import { createTally, describeFindings, type Tally } from './report.ts';
import { type Bench, ownFrom, runOne } from './run.ts';
import { runningTarget, startTarget, type Target } from './target.ts';
import { makeWorld, type World } from './world/world.ts';

/*
 * `npm run fuzz` sends generated requests to every operation of `/openapi.json` and to the callbacks of every provider, and
 * bytes that are hardly HTTP. Every answer must be one the document describes, every error a problem, nothing of another
 * tenant in it; all processes live on, and their logs hold neither an error nor a secret. It exits with 1 when anything is
 * found.
 */
const usage = `npm run fuzz [-- options]
  --seed <n>       repeats the requests of an earlier run; 1 in CI
  --requests <n>   how many requests (default 20000)
  --only <index>   shows a finding again: the request with this index alone, of the same seed
  --url <url>      asks a service that runs there, with limits as high as in trials/fuzz/target.ts; it starts none
  --help           prints this text`;

interface Options {
  readonly seed: number;
  readonly requests: number;
  readonly url: string | null;
  /** Null: all. */
  readonly only: number | null;
}

function readOptions(args: readonly string[]): Options {
  const values = readValues(args, { seed: text, requests: text, url: text, only: text });
  return {
    seed: numberOf(values, 'seed', process.env.CI ? 1 : Math.floor(Math.random() * 1e6)),
    requests: numberOf(values, 'requests', 20_000),
    url: values.url ?? null,
    only: values.only === undefined ? null : numberOf(values, 'only', 0),
  };
}

const atOnce = 24;
/** From here on, each operation must be answered with success once, and refused once. */
const enoughForAll = 10_000;
/** Requests to an operation that chance did not reach, before that is a finding. */
const triesOfItsOwn = 300;

async function run(options: Options): Promise<boolean> {
  const { seed, requests, only, url } = options;
  console.log(`fuzz: seed ${seed}, ${only === null ? `${requests} requests` : `request ${only} alone`}`);
  const target = url === null ? await startTarget() : await runningTarget(url);
  try {
    return await fuzz(target, options);
  } finally {
    await target.stop();
  }
}

/** True when nothing was found. */
async function fuzz(on: Target, options: Options): Promise<boolean> {
  const { seed, requests, only } = options;
  const client = openClient(on.url);
  const api = await readApi(on.url);
  const world = await makeWorld(client, on);
  const providers = world.providers.map((provider) => {
    const [good] = goodSettings(provider.id, on.outside);
    return { ...provider, ...(good === undefined ? {} : { good }) };
  });
  const badTokens = [...world.askers[0]!.names.keys()].flatMap((name) =>
    name.startsWith('bad.') ? [name.slice(4)] : [],
  );
  const plans = plansOf({ api, providers, callbacks: world.callbacks, badTokens });
  const bench: Bench = { client, world, rules: { api, markers: world.markers }, plans, seed };
  const before = await world.othersData();
  const probe = probing(client.url.href);
  const started = performance.now();
  const tally = await fire(bench, options);
  const { slowestMs, fault } = await probe.stop();
  const seconds = (performance.now() - started) / 1_000;
  const faults = [
    ...(fault === null ? [] : [fault]),
    ...processFaults(on.processes, world.secrets),
    ...(await changeFaults(world, before)),
    ...(only === null && requests >= enoughForAll
      ? tally
          .unreached(api.operations.map(({ id }) => id))
          .map(
            (id) => `${id} was never answered with 2xx, or never with 4xx: teach subjects.ts what it needs`,
          )
      : []),
  ];
  client.close();
  report(tally, faults, options, { seconds, slowestMs, repeats: client.repeats });
  return tally.findings.length + faults.length === 0;
}

/** What nobody but its owner can change must be as it was. */
async function changeFaults(world: World, before: string): Promise<string[]> {
  try {
    const after = await world.othersData();
    if (after === before) return [];
    const [was, is] = [before.split('\n'), after.split('\n')];
    const at = is.findIndex((line, index) => line !== was[index]);
    return [`another tenant's data has changed at line ${at}: ${was[at]} is now ${is[at]}`];
  } catch (error) {
    return [`another tenant's data cannot be read any more: ${String(error)}`];
  }
}

async function fire(bench: Bench, { requests, only }: Options): Promise<Tally> {
  const tally = createTally();
  let next = only ?? 0;
  const end = only === null ? requests : only + 1;
  const lane = async (): Promise<void> => {
    while (next < end) tally.add(await runOne(bench, next++));
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  if (only === null && requests >= enoughForAll) await reachAll(bench, tally);
  return tally;
}

/** Asks what chance did not reach, until it is reached. */
async function reachAll(bench: Bench, tally: Tally): Promise<void> {
  const ids = bench.rules.api.operations.map(({ id }) => id);
  const lane = async (id: string): Promise<void> => {
    for (let tried = 0; tried < triesOfItsOwn && tally.unreached([id]).length > 0; tried += 1) {
      tally.add(await runOne(bench, ownFrom + tried * ids.length + ids.indexOf(id)));
    }
  };
  await Promise.all(tally.unreached(ids).map(lane));
}

interface Probed {
  readonly slowestMs: number;
  /** Why the api could not be asked, the first time. */
  readonly fault: string | null;
}

/** Asks all the while whether the api is there. */
function probing(url: string): { stop(): Promise<Probed> } {
  const stopping = new AbortController();
  let slowestMs = 0;
  let fault: string | null = null;
  const run = async (): Promise<void> => {
    while (!stopping.signal.aborted && fault === null) {
      const asked = performance.now();
      const answer = await fetch(`${url}healthz`).catch((error: unknown) => String(error));
      if (typeof answer === 'string') fault = `the api was not there: ${answer}`;
      else await answer.body?.cancel();
      slowestMs = Math.max(slowestMs, performance.now() - asked);
      await wait(100);
    }
  };
  const running = run();
  return {
    async stop() {
      stopping.abort();
      await running;
      return { slowestMs, fault };
    },
  };
}

function report(
  tally: Tally,
  faults: readonly string[],
  { seed, url }: Options,
  {
    seconds,
    slowestMs,
    repeats,
  }: { readonly seconds: number; readonly slowestMs: number; readonly repeats: number },
): void {
  const again = (index: number): string =>
    `npm run fuzz -- --seed ${seed} --only ${index}${url === null ? '' : ` --url ${url}`}`;
  console.log(tally.table());
  if (tally.findings.length > 0) console.log(`\n${describeFindings(tally.findings, again)}\n`);
  for (const fault of faults.slice(0, 25)) console.log(`FINDING ${fault}`);
  const share = (group: string): string =>
    `${Math.round((100 * (tally.classes[group] ?? 0)) / Math.max(1, tally.requests))} %`;
  console.log(
    `fuzz: ${tally.requests} requests in ${seconds.toFixed(1)} s (${process.uptime().toFixed(1)} s in all), seed ${seed}: 2xx ${share('2xx')}, 4xx ${share('4xx')}, 5xx ${tally.classes['5xx'] ?? 0}, asked again after a 503 ${repeats}; slowest probe ${Math.round(slowestMs)} ms; ${tally.findings.length + faults.length} findings`,
  );
}

await runProgram({ usage, readOptions, run });
