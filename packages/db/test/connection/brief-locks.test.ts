import { testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { patienceOf, withBriefLocks } from '../../src/connection/brief-locks.ts';

test.each(['40P01', '55P03'])('a change that ended with %s is tried again', async (code) => {
  await using test = await testDatabase();
  let tries = 0;
  const value = await withBriefLocks(test.db, patienceOf(60), async (trx) => {
    tries += 1;
    if (tries === 1)
      await sql`do $$ begin raise exception 'injected' using errcode = ${sql.lit(code)}; end $$`.execute(trx);
    return 'changed';
  });
  expect({ value, tries }).toEqual({ value: 'changed', tries: 2 });
});

test('any other error is told at once', async () => {
  await using test = await testDatabase();
  let tries = 0;
  const change = withBriefLocks(test.db, patienceOf(60), async (trx) => {
    tries += 1;
    await sql`select 1 / 0`.execute(trx);
  });
  await expect(change).rejects.toMatchObject({ code: '22012' });
  expect(tries).toBe(1);
});
