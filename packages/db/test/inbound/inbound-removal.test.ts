import { lowestIdAt } from '@notify/core';
import type { Db } from '@notify/db/connection';
import { purgeTenants, removeExpired, removeOldInbound } from '@notify/db/maintenance';
import { deleteTenant } from '@notify/db/tenants';
import { inboundAccountOf, inboundText, makeTenant, testDatabase, type TestTenant } from '@notify/testkit';
import { sql } from 'kysely';
import { expectNumber } from '../../src/inbound/numbered.ts';
import { storeReceived } from '../../src/inbound/store.ts';
import { send } from '../dispatching.ts';
import { storeInbound } from '../store-inbound.ts';

const tables = [
  'conversations',
  'conversation_messages',
  'moved_contacts',
  'inbound_seen',
  'inbound_pieces',
  'consents',
  'consent_changes',
  'pairings',
  'numbered_messages',
  'suppressions',
] as const;

async function counts(db: Db): Promise<number[]> {
  return Promise.all(tables.map(async (table) => (await db.selectFrom(table).selectAll().execute()).length));
}

/** Rows in every table: a text, a piece of one, an answer, a consent, a link, a move and a question with numbers. */
async function live(db: Db, tenant: TestTenant): Promise<void> {
  const account = inboundAccountOf(tenant);
  const piece = { reference: 'a', index: 1, total: 2 };
  await storeReceived(db, {
    inbound: [inboundText(account, { body: { text: 'STOP' } }), inboundText(account, { piece })],
    moved: [{ account, from: '1', to: '2' }],
    consents: [],
  });
  await send(db, tenant);
  await expectNumber(db, { account, contact: '2', messageId: crypto.randomUUID() });
  await sql`
    insert into pairings (hash, tenant_id, account_id, reference, expires_at)
    values (sha256(${tenant.tenantId}::bytea), ${tenant.tenantId}, ${tenant.accountId}, 'me', now() + interval '1 hour')`.execute(
    db,
  );
}

test('nothing is left of a deleted tenant, and everything of the others', async () => {
  await using test = await testDatabase();
  const [kept, gone] = [await makeTenant(test.db), await makeTenant(test.db)];
  await live(test.db, kept);
  const before = await counts(test.db);
  expect(Math.min(...before)).toBeGreaterThan(0);
  await live(test.db, gone);
  expect(await counts(test.db)).toEqual(before.map((count) => 2 * count));
  await deleteTenant(test.db, gone.tenantId);
  await purgeTenants(test.db);
  expect(await counts(test.db)).toEqual(before);
});

test('ids are known for 30 days, a question for a day, and a link until it expires', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const account = inboundAccountOf(tenant);
  await live(test.db, tenant);
  const message = inboundText(account);
  await storeInbound(test.db, [message]);
  await removeOldInbound(test.db, 90);
  expect((await storeInbound(test.db, [message])).results[0]!.kind).toBe('repeated');
  expect(await test.db.selectFrom('pairings').selectAll().execute()).toHaveLength(1);
  await sql`update inbound_seen set seen_at = now() - interval '30 days 1 second'`.execute(test.db);
  await sql`update pairings set expires_at = now()`.execute(test.db);
  expect(await test.db.selectFrom('numbered_messages').selectAll().execute()).toHaveLength(1);
  await sql`update numbered_messages set sent_at = now() - interval '24 hours 1 second'`.execute(test.db);
  expect(await removeOldInbound(test.db, 90)).toMatchObject({
    seen: 3,
    pairings: 1,
    numbered: 1,
    conversations: 0,
  });
});

test('a conversation goes when its messages do, and with its account', async () => {
  await using test = await testDatabase();
  const [old, removed, kept] = [
    await makeTenant(test.db),
    await makeTenant(test.db),
    await makeTenant(test.db),
  ];
  for (const tenant of [old, removed, kept]) await live(test.db, tenant);
  const longAgo = lowestIdAt(new Date(Date.now() - 91 * 86_400_000));
  await sql`update conversations set latest_id = ${longAgo} where tenant_id = ${old.tenantId}`.execute(
    test.db,
  );
  await sql`
    update channel_accounts set deleted_at = now() - interval '2 days' where id = ${removed.accountId}`.execute(
    test.db,
  );
  await test.db.deleteFrom('dispatch_due').execute();
  const rules = { idempotencyDays: 7 };
  expect((await removeExpired(test.db, rules)).accounts).toBe(0);
  expect((await removeOldInbound(test.db, 90)).conversations).toBe(2);
  expect((await removeExpired(test.db, rules)).accounts).toBe(1);
  const left = await test.db.selectFrom('conversations').selectAll().execute();
  expect(left).toMatchObject([{ account_id: kept.accountId }]);
  const messages = await test.db.selectFrom('conversation_messages').select('conversation_id').execute();
  expect(new Set(messages.map((row) => row.conversation_id))).toEqual(new Set([left[0]!.id]));
});
