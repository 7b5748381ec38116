import type { TestTenant } from '@notify/testkit';
import { sql } from 'kysely';
import { overlaps } from '../peer/client.ts';
import { wireId } from '../src/sending/message-id.ts';
import { connectedHere, heldBy, openWorld, until, type World } from './world.ts';

let world: World;

beforeEach(async () => {
  world = await openWorld();
});

afterEach(() => world[Symbol.asyncDispose]());

const connections = async () => (await world.peer.log()).connections;

const allConnected = async (accounts: readonly TestTenant[]): Promise<boolean> => {
  const states = await Promise.all(accounts.map((account) => world.stateOf(account)));
  const loggedIn = (await connections()).filter((one) => one.loggedInAt !== null && one.closedAt === null);
  return states.every(({ status }) => status === 'connected') && loggedIn.length === accounts.length;
};

test('after the owner is killed with 200 messages waiting, another process sends each once, without a scan', async () => {
  const processes = [await world.start(), await world.start()];
  await until(async () => processes.every((process) => heldBy(process) === 8));
  const account = await world.linked('15550300001');
  const owner = processes.find((process) => connectedHere(process).includes(account.accountId))!;
  const items = Array.from({ length: 200 }, (_, index) => ({
    to: String(15_550_400_000 + index),
    body: { text: `message ${index}` },
  }));
  const ids = await world.send(account, items);
  await world.peer.when(({ messages }) => messages.length >= 20);

  owner.process.kill('SIGKILL');
  const killedAt = performance.timeOrigin + performance.now();
  // What others wait for, by the database's clock.
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from max(leased_until) - now())::float8 * 1000 as ms
    from owned_partitions`.execute(world.db);
  expect(rows[0]!.ms).toBeLessThan(15_000);

  const after = await world.peer.when(({ connections }) =>
    connections.some(({ loggedInAt }) => loggedInAt !== null && loggedInAt > killedAt),
  );
  const takenOverAt = Math.max(...after.connections.map(({ loggedInAt }) => loggedInAt ?? 0));
  console.log(`taken over ${Math.round(takenOverAt - killedAt)} ms after SIGKILL`);

  const unsent = () =>
    world.db
      .selectFrom('messages')
      .select('id')
      .where('id', 'in', ids)
      .where('status', '=', 'queued')
      .execute();
  await until(async () => (await unsent()).length === 0);
  const { messages } = await world.peer.log();
  const shown = messages.filter(({ duplicate }) => !duplicate);
  expect(shown.map(({ id }) => id).toSorted()).toEqual(ids.map(wireId).toSorted());
  // At most the message under way is sent again, under the same id, so its recipient shows it once.
  expect(messages.length - shown.length).toBeLessThanOrEqual(1);
  expect(overlaps(await connections())).toEqual([]);
});

test('40 accounts stay on one connection each while processes join and leave', async () => {
  const first = await world.start();
  const accounts = (await world.linkMany(40)).map(({ account }) => account);
  await until(() => allConnected(accounts));

  const second = await world.start();
  await until(async () => heldBy(first) === 8 && heldBy(second) === 8);
  await until(() => allConnected(accounts));
  const moved = new Set(connectedHere(second));
  expect(moved.size).toBeGreaterThan(0);
  expect(moved.size).toBeLessThan(40);

  const stoppedAt = performance.timeOrigin + performance.now();
  const stopped = first.stop();
  await until(async () => heldBy(second) === 16);
  await until(() => allConnected(accounts));
  await stopped;
  const back = (await connections()).filter(({ openedAt }) => openedAt > stoppedAt);
  const handedOverMs = Math.max(...back.map(({ openedAt }) => openedAt)) - stoppedAt;
  console.log(`${back.length} accounts handed over in ${Math.round(handedOverMs)} ms after SIGTERM`);
  expect(back.length).toBe(40 - moved.size);
  expect(overlaps(await connections())).toEqual([]);
});
