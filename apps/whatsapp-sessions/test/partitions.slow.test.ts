import type { RunningProcess, TestTenant } from '@notify/testkit';
import { overlaps } from '../peer/client.ts';
import { openWorld, until, type World } from './world.ts';

let world: World;
beforeEach(async () => {
  world = await openWorld();
});
afterEach(() => world[Symbol.asyncDispose]());

const start = (partitions: number): Promise<RunningProcess> =>
  world.start('whatsapp-sessions', { WHATSAPP_PARTITIONS: String(partitions) });

const says = (process: RunningProcess, text: string): boolean =>
  process.lines.some((line) => line.includes(text));

/** The partitions that have been taken, in the order of the log. */
const taken = (process: RunningProcess): number[] =>
  process.lines
    .filter((line) => line.includes('"partitions taken"'))
    .flatMap((line) => (JSON.parse(line) as { partitions: number[] }).partitions);

async function readiness({ url }: RunningProcess): Promise<unknown> {
  const answer = await fetch(`${url}/readyz`);
  return { status: answer.status, ...((await answer.json()) as object) };
}

const degraded = {
  status: 'degraded',
  checks: { postgres: 'ok', queue: 'ok', turns: 'ok', partitions: 'degraded' },
};
const ok = { status: 'ok', checks: { postgres: 'ok', queue: 'ok', turns: 'ok', partitions: 'ok' } };

const isConnected = async (account: TestTenant): Promise<boolean> => {
  const { status } = await world.stateOf(account);
  return status === 'connected';
};

test('a process without a partition says so, until one is free', async () => {
  const processes = [await start(2), await start(2)];
  await until(async () => processes.every((process) => taken(process).length > 0));
  const spare = await start(2);
  await until(async () =>
    says(spare, 'holds no partition: there are more processes than WHATSAPP_PARTITIONS'),
  );
  expect(await readiness(spare)).toEqual(degraded);
  expect(taken(spare)).toEqual([]);
  for (const process of processes) expect(await readiness(process)).toEqual(ok);
  await processes[0]!.stop();
  await until(async () => says(spare, 'this process may take partitions again'));
  // It says so as soon as one is due to it.
  await until(async () => taken(spare).length === 1);
  expect(await readiness(spare)).toEqual(ok);
});

test('an account belongs to one partition of the configured count, and is woken in it', async () => {
  await start(3);
  // Its sweeper wakes due accounts.
  await world.start('dispatch-worker', { WHATSAPP_PARTITIONS: '3' });
  const accounts = [];
  for (const phone of ['15550310001', '15550310002', '15550310003', '15550310004'])
    accounts.push(await world.linked(phone));
  for (const account of accounts) {
    const { id } = await world.sendOne(account);
    await world.untilStatus(id, 'sent', 'delivered');
    expect(await isConnected(account)).toBe(true);
  }
});

test('a process with another partition count takes none until the others have ended, and no device connects twice', async () => {
  const [first, second] = [await start(16), await start(16)];
  // Linking starts again if its partition moves.
  await until(async () => taken(second).length === 8);
  const account = await world.linked('15550310009');
  const changed = await start(24);
  await until(async () => says(changed, 'other processes run with another WHATSAPP_PARTITIONS'));
  expect(await readiness(changed)).toEqual(degraded);
  await first.stop();
  expect(taken(changed)).toEqual([]);
  await until(() => isConnected(account));
  await second.stop();
  await until(async () => taken(changed).length === 24);
  await until(() => isConnected(account));
  expect(await readiness(changed)).toEqual(ok);
  expect(overlaps((await world.peer.log()).connections)).toEqual([]);
});
