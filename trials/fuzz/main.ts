import { parseArgs } from 'node:util';
import { setTimeout as wait } from 'node:timers/promises';
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
 * `npm run fuzz -- [--seed n] [--requests n] [--url …] [--only index]`: generated requests against every operation of
 * `/openapi.json` and the callbacks of every provider, and bytes that are hardly HTTP. Every answer must be one the
 * document describes, every error a problem, nothing of another tenant in it; all processes live on, and their logs
 * hold neither an error nor a secret. Without `--url` it starts the service itself; one at
 * `--url` needs limits as high as those in `target.ts`. The seed is 1 in CI, else drawn; with
 * seed and index a finding is shown again. Exits with 1 when anything is found.
 */
const { values: options } = parseArgs({
  options: {
    seed: { type: 'string' },
    requests: { type: 'string' },
    url: { type: 'string' },
    only: { type: 'string' },
  },
});
const seed = Number(options.seed ?? (process.env.CI ? 1 : Math.floor(Math.random() * 1e6)));
const requests = Number(options.requests ?? 20_000);
const only = options.only === undefined ? null : Number(options.only);
const atOnce = 24;
/** From here on, each operation must be answered with success once, and refused once. */
const enoughForAll = 10_000;
/** Requests to an operation that chance did not reach, before that is a finding. */
const triesOfItsOwn = 300;

console.log(`fuzz: seed ${seed}, ${only === null ? `${requests} requests` : `request ${only} alone`}`);
const began = performance.now();
const target = options.url === undefined ? await startTarget() : await runningTarget(options.url);
try {
  process.exitCode = (await fuzz(target)) ? 0 : 1;
} finally {
  await target.stop();
}

/** True when nothing was found. */
async function fuzz(on: Target): Promise<boolean> {
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
  const tally = await fire(bench);
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
  report(tally, faults, seconds, { slowestMs, repeats: client.repeats });
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

async function fire(bench: Bench): Promise<Tally> {
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
  seconds: number,
  { slowestMs, repeats }: { readonly slowestMs: number; readonly repeats: number },
): void {
  const again = (index: number): string =>
    `npm run fuzz -- --seed ${seed} --only ${index}${options.url === undefined ? '' : ` --url ${options.url}`}`;
  console.log(tally.table());
  if (tally.findings.length > 0) console.log(`\n${describeFindings(tally.findings, again)}\n`);
  for (const fault of faults.slice(0, 25)) console.log(`FINDING ${fault}`);
  const share = (group: string): string =>
    `${Math.round((100 * (tally.classes[group] ?? 0)) / Math.max(1, tally.requests))} %`;
  console.log(
    `fuzz: ${tally.requests} requests in ${seconds.toFixed(1)} s (${((performance.now() - began) / 1_000).toFixed(1)} s in all), seed ${seed}: 2xx ${share('2xx')}, 4xx ${share('4xx')}, 5xx ${tally.classes['5xx'] ?? 0}, asked again after a 503 ${repeats}; slowest probe ${Math.round(slowestMs)} ms; ${tally.findings.length + faults.length} findings`,
  );
}
