import type { Db } from '@notify/db/connection';
import { settleMessages, settleSent } from '@notify/db/dispatch';
import { migrate } from '@notify/db/maintenance';
import { acceptMessages } from '@notify/db/messages';
import { applyReceipts, type NewReceipt, storeReceipts, takeReceipts } from '@notify/db/receipts';
import { settleDelivered, settleDeliveries } from '@notify/db/webhooks';
import {
  inboundAccountOf,
  inboundText,
  makeTenant,
  makeWebhook,
  openTestDb,
  startOwnPostgres,
  type TestTenant,
  textItem,
} from '@notify/testkit';
import type { Labels } from '@notify/core';
import { sql } from 'kysely';
import { claimAs, ended, ok } from '../attempts.ts';
import { accepted, claim, rules, send, settlement } from '../dispatching.ts';
import { storeInbound } from '../store-inbound.ts';

/** As many as one webhook takes at once. */
const messages = 8;

/** How successes are settled and receipts taken: by the statements for what is usual, or by those for everything. */
interface Ways {
  readonly settle: (db: Db, settlements: ReturnType<typeof settlement>[]) => Promise<unknown>;
  readonly take: (db: Db, receipts: readonly NewReceipt[]) => Promise<unknown>;
  readonly deliver: (db: Db, settlements: ReturnType<typeof ended>[]) => Promise<unknown>;
}

const usual: Ways = { settle: settleSent, take: takeReceipts, deliver: settleDelivered };
const general: Ways = {
  settle: settleMessages,
  take: async (db, receipts) => applyReceipts(db, { kind: 'ids', ids: await storeReceipts(db, receipts) }),
  deliver: settleDeliveries,
};

/** All that becomes of a few messages with one webhook and three events each. */
async function live(db: Db, tenant: TestTenant, webhookId: string, ways: Ways): Promise<void> {
  const deliver = async () => {
    const claims = await claimAs(db, webhookId);
    await ways.deliver(
      db,
      claims.map((one) => ended(one, ok)),
    );
  };
  await send(db, tenant, messages);
  await deliver();
  const claimed = await claim(db, tenant);
  await ways.settle(
    db,
    claimed.map((one) => settlement(one, accepted, { kind: 'sent' })),
  );
  await deliver();
  await ways.take(
    db,
    claimed.map(({ account, messageId }) => ({
      accountId: account.id,
      messageId,
      externalId: null,
      part: null,
      status: 'delivered',
    })),
  );
  await deliver();
}

interface Written {
  readonly entries: number;
  readonly bytes: number;
}

/** What a message wrote to the log since `from`: entries in indexes, and bytes without images of pages. */
async function written(db: Db, from: string): Promise<Written> {
  const { rows } = await sql<Written>`
    select count(*) filter (where resource_manager = 'Btree' and record_type like 'INSERT_LEAF%')::int
        / ${messages}::float8 as entries,
      sum(record_length - fpi_length)::int / ${messages}::float8 as bytes
    from pg_get_wal_records_info(${from}::pg_lsn, pg_current_wal_insert_lsn())`.execute(db);
  return rows[0]!;
}

/** The index entries of a message that waits, with its event and one delivery. The release before conversations wrote as many. */
const sendEntries = 9;

/** What each accepted send to these recipients wrote. */
async function costOfSends(
  db: Db,
  tenant: TestTenant,
  to: readonly string[],
  labels?: Labels,
): Promise<Written> {
  const { rows } = await sql<{ from: string }>`select pg_current_wal_insert_lsn() as from`.execute(db);
  await acceptMessages(
    db,
    to.map((one) => textItem(tenant, { to: one, ...(labels === undefined ? {} : { labels }) })),
    rules,
  );
  return written(db, rows[0]!.from);
}

test('a message with three webhook calls writes at most 38 index entries and 9,000 bytes of log, and none for a conversation with anybody else', async () => {
  const server = await startOwnPostgres();
  const db = openTestDb(server.url);
  try {
    await migrate(db);
    await sql`alter system set autovacuum = off`.execute(db);
    await sql`select pg_reload_conf()`.execute(db);
    await sql`create extension pg_walinspect`.execute(db);
    const tenant = await makeTenant(db);
    const webhookId = await makeWebhook(db, tenant.tenantId);
    const cost = async (ways: Ways): Promise<Written> => {
      const { rows } = await sql<{ from: string }>`select pg_current_wal_insert_lsn() as from`.execute(db);
      await live(db, tenant, webhookId, ways);
      return written(db, rows[0]!.from);
    };
    // The first success changes the account, so the statements for what is usual leave it out.
    await live(db, tenant, webhookId, general);
    const [all, most] = [await cost(general), await cost(usual)];
    expect(most.entries).toBeLessThanOrEqual(38);
    expect(most.bytes).toBeLessThanOrEqual(9_000);
    expect(most.entries).toBeLessThan(all.entries);
    expect(most.bytes).toBeLessThan(all.bytes);
    const { rows } = await sql`select status from messages where status <> 'delivered'`.execute(db);
    expect(rows).toEqual([]);
    expect((await sql`select from deliveries`.execute(db)).rows).toHaveLength(3 * 3 * messages);
    const strangers = Array.from({ length: messages }, (_, index) => `+1555000200${index}`);
    const before = await costOfSends(db, tenant, strangers);
    expect(before.entries).toBe(sendEntries);
    const people = Array.from({ length: messages }, (_, index) => `+1555000300${index}`);
    await storeInbound(
      db,
      people.map((from) => inboundText(inboundAccountOf(tenant), { from })),
    );
    const beside = await costOfSends(db, tenant, strangers);
    expect(beside.entries).toBe(before.entries);
    expect(beside.bytes).toBeLessThan(1.02 * before.bytes);
    const answers = await costOfSends(db, tenant, people);
    expect(answers.entries).toBeLessThanOrEqual(before.entries + 5);
    const metadata = { orderId: '4711' };
    const described = await costOfSends(db, tenant, strangers, { metadata, tags: null });
    expect(described.entries).toBe(sendEntries);
    const tagged = await costOfSends(db, tenant, strangers, { metadata: null, tags: ['a', 'b'] });
    expect(tagged.entries).toBe(sendEntries + 2);
  } finally {
    await db.destroy();
    await server.remove();
  }
});
