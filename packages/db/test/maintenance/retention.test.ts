import { lowestIdAt } from '@notify/core';
import { dropPartitionsBefore } from '@notify/db/maintenance';
import { testDatabase } from '@notify/testkit';
import { sql } from 'kysely';

test('what is older than its retention is dropped by whole partitions, and nothing else is', async () => {
  await using test = await testDatabase();
  const [from, until] = [new Date('2020-01-06T00:00:00Z'), new Date('2020-01-13T00:00:00Z')];
  await sql`
    create table events_20200106 partition of events
      for values from (${sql.lit(lowestIdAt(from))}) to (${sql.lit(lowestIdAt(until))})`.execute(test.db);
  await sql`
    insert into events (id, tenant_id, event, body, occurred_at) values
      (${lowestIdAt(from)}, uuidv7(), 'message.sent', '{}', now()),
      (uuidv7(), uuidv7(), 'message.sent', '{}', now())`.execute(test.db);
  const daysSince = Math.floor((Date.now() - until.getTime()) / 86_400_000);
  expect(await dropPartitionsBefore(test.db, 'events', daysSince + 1)).toEqual([]);
  expect(await dropPartitionsBefore(test.db, 'events', daysSince - 1)).toEqual(['events_20200106']);
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from events`.execute(test.db);
  expect(rows).toEqual([{ count: 1 }]);
});
