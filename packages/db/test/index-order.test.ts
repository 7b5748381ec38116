import { randomUUID } from 'node:crypto';
import { makeTenant, makeWebhook, testDatabase, textItem } from '@notify/testkit';
import { sql } from 'kysely';
import { acceptMessages, claimDeliveries, claimMessages, type Db, openDb } from '../src/index.ts';

const waiting = 5_000;
const claimed = 10;
/** What a claim may read besides what it takes: a webhook's claims count what is in flight in its 300 oldest. */
const readAtMost = 1_000;

test('a claim reads few of the many that wait, before there are any statistics', async () => {
  await using database = await testDatabase();
  const db = openDb(database.url, { maxConnections: 1, hot: true });
  await sql`alter table dispatch_due set (autovacuum_enabled = off)`.execute(db);
  await sql`alter table delivery_due set (autovacuum_enabled = off)`.execute(db);
  const tenant = await makeTenant(db);
  const webhookId = await makeWebhook(db, tenant.tenantId);
  const items = Array.from({ length: waiting }, () => textItem(tenant));
  await acceptMessages(db, items, { idempotencyDays: 7, blockExpiredTrials: false });
  const lease = { lane: 'fast', limit: claimed, holder: randomUUID() } as const;

  const before = await entriesRead(db);
  const messages = await claimMessages(db, {
    ...lease,
    accountId: tenant.accountId,
    leaseMs: {},
    singlesSinceBulk: 0,
  });
  const deliveries = await claimDeliveries(db, { ...lease, webhookId, leaseMs: 15_000 });
  const after = await entriesRead(db);

  expect(messages).toHaveLength(claimed);
  expect(deliveries.length).toBeGreaterThan(0);
  expect(after.dispatch_due_turn! - before.dispatch_due_turn!).toBeLessThan(readAtMost);
  expect(after.delivery_due_turn! - before.delivery_due_turn!).toBeLessThan(readAtMost);
  await db.destroy();
});

/** Entries of the indexes by due time that were read so far. */
async function entriesRead(db: Db): Promise<Record<string, number>> {
  await sql`select pg_stat_force_next_flush()`.execute(db);
  const { rows } = await sql<{ name: string; read: number }>`
    select indexrelname as name, idx_tup_read::int as read from pg_stat_user_indexes
    where indexrelname in ('dispatch_due_turn', 'delivery_due_turn')`.execute(db);
  return Object.fromEntries(rows.map(({ name, read }) => [name, read]));
}
