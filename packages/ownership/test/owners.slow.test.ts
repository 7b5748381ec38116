import { type RunningProcess, until } from '@notify/testkit';
import { sql } from 'kysely';
import { overlaps } from './exchange.ts';
import { type Installation, openInstallation, stateOf } from './installation.ts';

let installation: Installation;
afterEach(() => installation[Symbol.asyncDispose]());

/** What a process has printed and logged about partitions it took: `new`, `moved` or `taken-over`. */
const taken = ({ lines }: RunningProcess): string[] =>
  lines.flatMap((line) => /^partition (.+)$/.exec(line)?.[1] ?? []);

const says = ({ lines }: RunningProcess, text: string): boolean => lines.some((line) => line.includes(text));

const pidsOf = (): (number | undefined)[] => installation.exchange.open().map(({ pid }) => pid);

test('when its owner is killed, another process takes over every account and sends what waits', async () => {
  installation = await openInstallation(4);
  const { exchange, db } = installation;
  const owners = [await installation.start(), await installation.start()];
  await until(async () => owners.every((owner) => taken(owner).length >= 2));
  const accounts = await Promise.all(Array.from({ length: 8 }, () => installation.account()));
  await until(async () => exchange.open().length === 8);
  const [killed, other] = owners as [RunningProcess, RunningProcess];
  const lost = exchange.open().filter(({ pid }) => pid === killed.process.pid);
  expect(lost.length).toBeGreaterThan(0);
  expect(lost.length).toBeLessThan(8);

  killed.process.kill('SIGKILL');
  // What the other process waits for, by the database's clock. It looks every half second.
  const { rows } = await sql<{ ms: number }>`
    select extract(epoch from max(leased_until) - now())::float8 * 1000 as ms from owned_partitions`.execute(
    db,
  );
  expect(rows[0]!.ms).toBeLessThanOrEqual(9_000);
  const sent = await Promise.all(accounts.map((account) => installation.send(account, 3)));
  await installation.untilSent(sent.flat());
  expect(new Set(exchange.carried.map(({ id }) => id))).toEqual(new Set(sent.flat()));
  expect(exchange.open()).toHaveLength(8);
  expect(new Set(pidsOf())).toEqual(new Set([other.process.pid]));
  expect(taken(other).filter((from) => from === 'taken-over')).toHaveLength(2);
  expect(overlaps(exchange.lines)).toEqual([]);
});

test('an owner that was frozen beyond its lease writes nothing when it goes on', async () => {
  installation = await openInstallation(1);
  const { exchange, db } = installation;
  const frozen = await installation.start();
  await until(async () => taken(frozen).length === 1);
  const account = await installation.account();
  await until(async () => (await stateOf(db, account)).status === 'connected');
  const other = await installation.start();

  frozen.process.kill('SIGSTOP');
  const held = { status: 'connected', detail: `by ${other.process.pid}` };
  await until(async () => (await stateOf(db, account)).detail === held.detail);
  expect(taken(other)).toEqual(['taken-over']);
  frozen.process.kill('SIGCONT');
  await until(async () => says(frozen, 'late write'));
  expect(says(frozen, 'late write refused')).toBe(true);
  expect(says(frozen, '"partition lost"')).toBe(true);
  expect(await stateOf(db, account)).toEqual(held);
  expect(pidsOf()).toEqual([other.process.pid]);

  const ids = await installation.send(account, 5);
  await installation.untilSent(ids);
  expect(new Set(exchange.carried.map(({ pid }) => pid))).toEqual(new Set([other.process.pid]));
});

test('a clean stop hands everything over without waiting for the end of a lease', async () => {
  installation = await openInstallation(4);
  const { exchange } = installation;
  const first = await installation.start();
  await until(async () => taken(first).length === 4);
  const accounts = await Promise.all(Array.from({ length: 6 }, () => installation.account()));
  await until(async () => exchange.open().length === 6);
  const second = await installation.start();
  await until(async () => taken(second).length === 2);
  await until(async () => exchange.open().length === 6);

  await first.stop();
  const sent = await Promise.all(accounts.map((account) => installation.send(account, 2)));
  await installation.untilSent(sent.flat());
  // None of them had expired.
  expect(taken(second)).toEqual(['moved', 'moved', 'moved', 'moved']);
  expect(exchange.open()).toHaveLength(6);
  expect(new Set(pidsOf())).toEqual(new Set([second.process.pid]));
  expect(overlaps(exchange.lines)).toEqual([]);
});
