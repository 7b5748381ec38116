import { pendingMigrations } from '../src/maintenance/migrate.ts';
import { testDatabase } from '@notify/testkit';
import { sql } from 'kysely';

test('a migrated database has nothing pending and three periods of every partitioned table ahead', async () => {
  await using test = await testDatabase();
  expect(await pendingMigrations(test.db)).toEqual([]);
  const { rows } = await sql<{ parent: string; children: number }>`
    select inhparent::regclass::text as parent, count(*)::int as children from pg_inherits
    join pg_class c on c.oid = inhrelid where c.relkind = 'r' group by 1 order by 1`.execute(test.db);
  expect(rows.map((row) => row.children)).toEqual([4, 4, 4, 4, 4]);
});
