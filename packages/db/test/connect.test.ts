import { openDb } from '@notify/db';
import { testDatabase } from '@notify/testkit';
import { sql } from 'kysely';

test('closing waits for queries that still wait for their first connection, and ends', async () => {
  await using test = await testDatabase();
  const db = openDb(test.url);
  await sql`select 1`.execute(db);
  const late = Array.from({ length: 5 }, () => sql<{ one: number }>`select 1 as one`.execute(db));
  // The queries go on as far as asking the pool.
  await new Promise(setImmediate);
  await db.destroy();
  const answers = await Promise.all(late);
  expect(answers.map(({ rows }) => rows[0]?.one)).toEqual([1, 1, 1, 1, 1]);
});
