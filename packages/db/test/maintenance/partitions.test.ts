import { lowestIdAt } from '@notify/core';
import { ensurePartitions } from '@notify/db/maintenance';
import { testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { partitioned } from '../../src/maintenance/partitions.ts';

const inTwoWeeks = new Date(Date.now() + 14 * 86_400_000);

test('rows that went to the default partition move to their own when it is made', async () => {
  await using test = await testDatabase();
  const partitions = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent = 'events'::regclass`.execute(test.db);
  for (const { name } of partitions.rows.filter((row) => row.name !== 'events_default'))
    await sql`drop table ${sql.ref(name)}`.execute(test.db);
  const near = lowestIdAt(inTwoWeeks);
  const far = 'ffffffff-ffff-7fff-bfff-ffffffffffff';
  for (const id of [near, far])
    await sql`
    insert into events (id, tenant_id, event, body, occurred_at)
    values (${id}, uuidv7(), 'sent', '{}', now())`.execute(test.db);

  await ensurePartitions(test.db);

  const { rows } = await sql<{ id: string; partition: string }>`
    select id, tableoid::regclass::text as partition from events order by id`.execute(test.db);
  expect(rows).toEqual([
    { id: near, partition: expect.stringMatching(/^events_\d{8}$/) },
    { id: far, partition: 'events_default' },
  ]);
});

test('attempts move by their own id, whatever the delivery they are of', async () => {
  await using test = await testDatabase();
  const partitions = await sql<{ name: string }>`
    select inhrelid::regclass::text as name from pg_inherits
    where inhparent = 'delivery_attempts'::regclass`.execute(test.db);
  for (const { name } of partitions.rows.filter((row) => row.name !== 'delivery_attempts_default'))
    await sql`drop table ${sql.ref(name)}`.execute(test.db);
  const near = lowestIdAt(inTwoWeeks);
  const far = 'ffffffff-ffff-7fff-bfff-ffffffffffff';
  for (const [id, deliveryId] of [
    [near, far],
    [far, near],
  ])
    await sql`
      insert into delivery_attempts (id, delivery_id, webhook_id, number, duration_ms, began_at)
      values (${id}, ${deliveryId}, uuidv7(), 1, 1, now())`.execute(test.db);

  await ensurePartitions(test.db);

  const { rows } = await sql<{ id: string; partition: string }>`
    select id, tableoid::regclass::text as partition from delivery_attempts order by id`.execute(test.db);
  expect(rows).toEqual([
    { id: near, partition: expect.stringMatching(/^delivery_attempts_\d{8}$/) },
    { id: far, partition: 'delivery_attempts_default' },
  ]);
});

test.each(partitioned)('a partition of $table has the indexes of the table, once', async ({ table }) => {
  await using test = await testDatabase();
  const parts = await sql<{ indexes: number; attached: number }>`
    select (select count(*)::int from pg_index where indrelid = i.inhrelid) as indexes,
      (select count(*)::int from pg_index x join pg_inherits a on a.inhrelid = x.indexrelid
        where x.indrelid = i.inhrelid) as attached
    from pg_inherits i where inhparent = ${table}::regclass`.execute(test.db);
  const { rows } = await sql<{ indexes: number }>`
    select count(*)::int as indexes from pg_index where indrelid = ${table}::regclass`.execute(test.db);
  const wanted = rows[0]!.indexes;
  expect(parts.rows).toEqual(parts.rows.map(() => ({ indexes: wanted, attached: wanted })));
});
