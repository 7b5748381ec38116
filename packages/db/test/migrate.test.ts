import type { Db } from '@notify/db/connection';
import { makeTenant, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { migrate, pendingMigrations } from '../src/maintenance/migrate.ts';

test('a migrated database has nothing pending and three periods of every partitioned table ahead', async () => {
  await using test = await testDatabase();
  expect(await pendingMigrations(test.db)).toEqual([]);
  const { rows } = await sql<{ parent: string; children: number }>`
    select inhparent::regclass::text as parent, count(*)::int as children from pg_inherits
    join pg_class c on c.oid = inhrelid where c.relkind = 'r' group by 1 order by 1`.execute(test.db);
  expect(rows.map((row) => row.children)).toEqual([4, 4, 4, 4, 4, 4]);
});

test('each migration has a transaction of its own, so that its locks end with it', async () => {
  await using test = await testDatabase();
  const { rows } = await sql<{ all: number; transactions: number }>`
    select count(*)::int as all, count(distinct xmin::text)::int as transactions from kysely_migration`.execute(
    test.db,
  );
  expect(rows[0]!.all).toBeGreaterThan(20);
  expect(rows[0]!.transactions).toBe(rows[0]!.all);
});

test('sends go on while the change of messages waits for a long query', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const tenant = await makeTenant(db);
  await sql`alter table messages drop column received_at, drop column sender, drop column contact, drop column file,
    drop column reply_to, drop column traceparent`.execute(db);
  await sql`alter table events drop column traceparent`.execute(db);
  await sql`alter table api_keys drop column scopes, drop column account_ids, drop column expires_at,
    drop column allowed_ips, drop column replaced_by`.execute(db);
  await sql`drop table service_tokens, processes, samples, log_levels`.execute(db);
  await sql`delete from kysely_migration where name >= '0027_inbound_messages'`.execute(db);
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const { promise: reading, resolve: began } = Promise.withResolvers<void>();
  const query = db.transaction().execute(async (trx) => {
    await sql`select id from messages limit 1`.execute(trx);
    began();
    await released;
  });
  await reading;
  const migrating = migrate(db);
  while (!(await waitsForMessages(db))) await new Promise((resolve) => setTimeout(resolve, 20));

  await sql`
    insert into messages (id, tenant_id, channel_account_id, channel, recipient, type, body, bulk, status, expires_at)
    values (uuidv7(), ${tenant.tenantId}, ${tenant.accountId}, 'sms', '+15550001000', 'text', '{}', false, 'queued', now())`.execute(
    db,
  );
  release();
  await query;
  expect(await migrating).toEqual([
    '0027_inbound_messages',
    '0028_narrowed_credentials',
    '0029_observability',
    '0030_event_traceparent',
  ]);
});

async function waitsForMessages(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select from pg_locks where relation = 'messages'::regclass and not granted
      and mode = 'AccessExclusiveLock'`.execute(db);
  return rows.length > 0;
}
