import { makeTenant, makeWebhook, openTestDb, testDatabase, textItem } from '@notify/testkit';
import { sql } from 'kysely';
import type { Db } from '../../src/connection/index.ts';
import { acceptMessages } from '../../src/messages/index.ts';
import { claimAs } from '../attempts.ts';
import { claim } from '../dispatching.ts';

const waiting = 5_000;
const claimed = 10;
/** What a claim may read besides what it takes: a webhook's claims count what is in flight in its 32 oldest. */
const readAtMost = 100;

test('a claim reads few of the many that wait, before there are any statistics', async () => {
  await using database = await testDatabase();
  const db = openTestDb(database.url, { maxConnections: 1, hot: true });
  await sql`alter table dispatch_due set (autovacuum_enabled = off)`.execute(db);
  await sql`alter table delivery_due set (autovacuum_enabled = off)`.execute(db);
  const tenant = await makeTenant(db);
  const webhookId = await makeWebhook(db, tenant.tenantId);
  const items = Array.from({ length: waiting }, () => textItem(tenant));
  await acceptMessages(db, items, { idempotencyDays: 7, blockExpiredTrials: false });

  const before = await entriesRead(db);
  const messages = await claim(db, tenant, { limit: claimed });
  const deliveries = await claimAs(db, webhookId, { limit: claimed });
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
