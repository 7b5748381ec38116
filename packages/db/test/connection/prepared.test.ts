import { randomUUID } from 'node:crypto';
import type { Db } from '@notify/db/connection';
import { countDue, settleMessages, settleSent } from '@notify/db/dispatch';
import { countWaiting } from '@notify/db/messages';
import { applyReceipts, storeReceipts, takeReceipts } from '@notify/db/receipts';
import { settleDelivered, settleDeliveries } from '@notify/db/webhooks';
import {
  inboundAccountOf,
  inboundText,
  makeTenant,
  makeWebhook,
  openTestDb,
  testDatabase,
  type TestTenant,
} from '@notify/testkit';
import { storeReceived } from '@notify/db/inbound';
import { sql } from 'kysely';
import { claimAs, ended, ok, toFastLane } from '../attempts.ts';
import { accepted, claim, send, settlement } from '../dispatching.ts';

/** More rounds than a statement is run before it is prepared. */
const rounds = 8;
const many = 20_000;

async function preparedStatements(db: Db): Promise<number> {
  const { rows } = await sql<{
    count: number;
  }>`select count(*)::int as count from pg_prepared_statements`.execute(db);
  return rows[0]!.count;
}

test('what comes again is prepared, texts that never come again are not', async () => {
  await using database = await testDatabase();
  const db = openTestDb(database.url, { maxConnections: 1, hot: true });
  for (let round = 0; round < rounds; round += 1) await sql`select ${round}::int as same`.execute(db);
  expect(await preparedStatements(db)).toBe(1);
  for (let round = 0; round < 300; round += 1)
    await sql`select ${round}::int as ${sql.ref(`other_${round}`)}`.execute(db);
  expect(await preparedStatements(db)).toBe(1);
  await db.destroy();
});

test('a prepared statement goes on when a migration adds a column to its table', async () => {
  await using database = await testDatabase();
  const db = openTestDb(database.url, { maxConnections: 1, hot: true });
  const { tenantId } = await makeTenant(database.db);
  const read = () => [
    sql<{ id: string }>`select * from tenants where id = ${tenantId}`.execute(db),
    sql<{ id: string }>`with t as (select * from tenants) select id from t where id = ${tenantId}`.execute(
      db,
    ),
    db.selectFrom('tenants').selectAll().where('id', '=', tenantId).execute(),
    db.updateTable('tenants').set({ name: 'x' }).where('id', '=', tenantId).returningAll().execute(),
  ];
  for (let round = 0; round < rounds; round += 1) await Promise.all(read());
  await sql`alter table tenants add column new_in_a_later_version text`.execute(database.db);
  await expect(Promise.all(read())).resolves.toHaveLength(4);
  await db.destroy();
});

test('the statements of the hot paths are prepared, however long', async () => {
  await using database = await testDatabase();
  const db = openTestDb(database.url, { maxConnections: 1, hot: true });
  const tenant = await makeTenant(db);
  const account = inboundAccountOf(tenant);
  for (let round = 0; round < rounds; round += 1) {
    await send(db, tenant);
    await storeReceived(db, { inbound: [inboundText(account)], moved: [], consents: [] });
    const [claimed] = await claim(db, tenant, { limit: 1 });
    await settleSent(db, [settlement(claimed!, accepted, { kind: 'sent' })]);
  }
  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db);
  for (const part of [
    'dispatch_due (message_id',
    'messages (id',
    'conversations as c',
    'attempts (message_id',
  ])
    expect(rows.filter(({ statement }) => statement.includes(`insert into ${part}`))).not.toEqual([]);
  await db.destroy();
});

test('plans that were made on empty tables read few rows when the tables are full', async () => {
  await using database = await testDatabase();
  const db = openTestDb(database.url, { maxConnections: 1, hot: true });
  const tenant = await makeTenant(db);
  const webhookId = await makeWebhook(db, tenant.tenantId);
  for (let round = 0; round < rounds; round += 1) {
    await oneTurn(db, tenant, webhookId);
    await onePlainTurn(db, tenant, webhookId);
  }
  await fill(database.db, tenant, webhookId);

  const before = await rowsRead(db);
  await oneTurn(db, tenant, webhookId);
  await onePlainTurn(db, tenant, webhookId);
  const after = await rowsRead(db);

  const read = Object.keys(after).map((table) => [table, after[table]! - (before[table] ?? 0)] as const);
  expect(read.filter(([, count]) => count > many / 10)).toEqual([]);
  await db.destroy();
});

/** Everything that becomes of a few messages, from their acceptance to their webhooks. */
async function oneTurn(db: Db, tenant: TestTenant, webhookId: string): Promise<void> {
  await send(db, tenant, 3);
  await countWaiting(db, tenant.tenantId, 100);
  await countDue(db, [tenant.accountId], 50);
  const claimed = await claim(db, tenant);
  await settleMessages(
    db,
    claimed.map((one) => settlement(one, accepted, { kind: 'sent' })),
  );
  const ids = await storeReceipts(
    db,
    claimed.map(({ account, messageId }) => ({
      accountId: account.id,
      messageId,
      externalId: null,
      part: null,
      status: 'delivered',
    })),
  );
  await applyReceipts(db, { kind: 'ids', ids });
  await toFastLane(db, webhookId);
  const deliveries = await claimAs(db, webhookId);
  await settleDeliveries(
    db,
    deliveries.map((one) => ended(one, ok)),
  );
}

/** The same by the statements for what usually happens. */
async function onePlainTurn(db: Db, tenant: TestTenant, webhookId: string): Promise<void> {
  await send(db, tenant, 3);
  const claimed = await claim(db, tenant);
  const settled = await settleSent(
    db,
    claimed.map((one) => settlement(one, accepted, { kind: 'sent' })),
  );
  expect(settled.messageIds.size).toBe(claimed.length);
  const { applied } = await takeReceipts(
    db,
    claimed.map(({ account, messageId }) => ({
      accountId: account.id,
      messageId,
      externalId: null,
      part: null,
      status: 'delivered',
    })),
  );
  expect(applied).toBe(claimed.length);
  await toFastLane(db, webhookId);
  const deliveries = await claimAs(db, webhookId);
  const delivered = await settleDelivered(
    db,
    deliveries.map((one) => ended(one, ok)),
  );
  expect(delivered.deliveryIds.size).toBe(deliveries.length);
}

/** Many rows in every table that grows, while nothing tells the planner of them. */
async function fill(db: Db, tenant: TestTenant, webhookId: string): Promise<void> {
  const series = sql`generate_series(1, ${many}::int)`;
  const [{ tenantId, accountId }, far] = [tenant, sql`now() + interval '1 day'`];
  await sql`alter table dispatch_due set (autovacuum_enabled = off)`.execute(db);
  await sql`alter table delivery_due set (autovacuum_enabled = off)`.execute(db);
  await sql`insert into messages (id, tenant_id, channel_account_id, channel, recipient, type, body, bulk, expires_at)
    select uuidv7(), ${tenantId}, ${accountId}, 'sms', '+1555', 'text', '{"text":"x"}', false, ${far} from ${series}`.execute(
    db,
  );
  await sql`insert into dispatch_due (message_id, account_id, tenant_id, bulk, due_at, expires_at)
    select id, ${accountId}, tenant_id, false, now(), expires_at from messages where recipient = '+1555'`.execute(
    db,
  );
  await sql`insert into events (id, tenant_id, message_id, event, sequence, body, occurred_at)
    select uuidv7(), tenant_id, id, 'message.queued', 1, '{}', now() from messages where recipient = '+1555'`.execute(
    db,
  );
  await sql`insert into delivery_due (id, webhook_id, tenant_id, event_id, due_at, created_at)
    select uuidv7(), ${webhookId}, tenant_id, id, now(), now() from events where body = '{}'`.execute(db);
  await sql`insert into receipts (account_id, message_id, status, apply_at)
    select ${randomUUID()}, uuidv7(), 'sent', ${far} from ${series}`.execute(db);
  await sql`insert into idempotency_keys (tenant_id, key, request_hash, message_id, account_id)
    select ${tenantId}, 'key ' || number, '', uuidv7(), ${accountId} from ${series} as number`.execute(db);
  await sql`insert into suppressions (account_id, recipient)
    select ${accountId}, 'nobody ' || number from ${series} as number`.execute(db);
}

/** Rows and index entries that were read so far, by table. */
async function rowsRead(db: Db): Promise<Record<string, number>> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ name: string; read: number }>`
    select t.relname as name, (t.seq_tup_read + coalesce(sum(i.idx_tup_read), 0))::int as read
    from pg_stat_user_tables t left join pg_stat_user_indexes i using (relid)
    group by t.relid, t.relname, t.seq_tup_read`.execute(db);
  return Object.fromEntries(rows.map(({ name, read }) => [name, read]));
}
