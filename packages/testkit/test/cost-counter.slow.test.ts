import { setTimeout as wait } from 'node:timers/promises';
import { openPool } from '@notify/db/servers';
import { openCostCounter, settleTogether, testDatabase, testWith } from '@notify/testkit';
import { sql } from 'kysely';

const none = { statements: 0, roundTrips: 0, wakes: 0, redisCommands: 0, timers: 0 };
const nothing = async (): Promise<void> => undefined;

testWith('redis-server')(
  'counts statements, round trips, wakes, commands and timers, each once',
  async () => {
    await using database = await testDatabase();
    await using counter = await openCostCounter();
    const { db } = database;
    const ask = (): Promise<unknown> => sql`select 1`.execute(db);
    expect(await counter.of(ask, nothing)).toEqual(none);
    const apart = async (): Promise<void> => {
      await ask();
      await ask();
    };
    expect(await counter.of(nothing, apart)).toEqual({ ...none, statements: 2, roundTrips: 2 });
    const pool = openPool(database.url, { application_name: 'test', max: 1, pipeline: true });
    const client = await pool.connect();
    const together = (): Promise<unknown> => Promise.all([1, 2, 3].map(() => client.query('select 1')));
    expect(await counter.of(nothing, together)).toEqual({ ...none, statements: 3, roundTrips: 1 });
    client.release();
    await pool.end();
    expect(await counter.of(nothing, () => wait(1))).toEqual({ ...none, timers: 1 });
    const wake = (): Promise<void> => counter.waker.wake('dispatch', 'fast', 'an id');
    const woken = await counter.of(nothing, wake);
    expect(woken).toMatchObject({ wakes: 1, statements: 0 });
    expect(woken.redisCommands).toBeGreaterThan(1);
  },
);

test('settlements that are held back are handed on together', async () => {
  const settled: number[] = [];
  let first = 0;
  const settle = settleTogether<number>(
    async (item) => void settled.push(item),
    2,
    () => (first += 1),
  );
  const one = settle(1, Infinity);
  await new Promise(setImmediate);
  expect([settled, first]).toEqual([[], 1]);
  await Promise.all([one, settle(2, Infinity)]);
  expect([settled, first]).toEqual([[1, 2], 1]);
});
