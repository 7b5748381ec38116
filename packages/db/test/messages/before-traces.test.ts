import { settleMessages, settleSent } from '@notify/db/dispatch';
import { cancelMessage, failExpired, failRemoved, findResend } from '@notify/db/messages';
import { applyReceipts, storeReceipts, takeReceipts } from '@notify/db/receipts';
import { makeTenant, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { accepted, claim, message, send, settlement } from '../dispatching.ts';

test('without traces, messages are sent and ended on a schema that has no traceparent yet', async () => {
  await using test = await testDatabase();
  const { db } = test;
  await sql`alter table messages drop column traceparent`.execute(db);
  await sql`alter table events drop column traceparent`.execute(db);
  const tenant = await makeTenant(db);
  const [id] = await send(db, tenant);
  const [claimed] = await claim(db, tenant);
  const { settled } = await settleMessages(db, [settlement(claimed!, accepted, { kind: 'sent' })]);
  expect(settled.size).toBe(1);
  const base = { accountId: tenant.accountId, messageId: id!, externalId: null, part: null };
  expect((await takeReceipts(db, [{ ...base, status: 'delivered' }])).applied).toBe(1);
  const ids = await storeReceipts(db, [{ ...base, status: 'read' }]);
  expect((await applyReceipts(db, { kind: 'ids', ids })).applied).toBe(1);
  expect(await message(db, id!)).toMatchObject({ status: 'delivered' });
  expect(await findResend(db, tenant.tenantId, id!)).toMatchObject({ message: { id }, traceparent: null });
  const [late] = await send(db, tenant);
  await sql`update dispatch_due set expires_at = now() - interval '1 second'`.execute(db);
  expect((await failExpired(db, 10)).count).toBe(1);
  expect(await message(db, late!)).toMatchObject({ status: 'failed', error_code: 'expired' });
});

test('with traces, every event of a message has the traceparent of its sender, however it ends', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const tenant = await makeTenant(db);
  const ids = await Promise.all(Array.from({ length: 5 }, () => send(db, tenant).then(([id]) => id!)));
  await sql`update messages set traceparent = 'of ' || id`.execute(db);
  const [plain, other, expired, canceled, removed] = ids as [string, string, string, string, string];
  await sql`update dispatch_due set due_at = due_at + interval '1 hour' where message_id <> all (${[plain, other]}::uuid[])`.execute(
    db,
  );
  const claims = await claim(db, tenant);
  const settle = (id: string) => [
    settlement(
      claims.find(({ messageId }) => messageId === id)!,
      accepted,
      { kind: 'sent' },
    ),
  ];
  expect((await settleMessages(db, settle(other), true)).settled.size).toBe(1);
  expect([...(await settleSent(db, settle(plain), true)).messageIds]).toEqual([plain]);
  const base = { accountId: tenant.accountId, externalId: null, part: null };
  await takeReceipts(db, [{ ...base, messageId: plain, status: 'delivered' }], true);
  const stored = await storeReceipts(db, [{ ...base, messageId: other, status: 'delivered' }]);
  await applyReceipts(db, { kind: 'ids', ids: stored }, true);
  await sql`update dispatch_due set expires_at = now() where message_id = ${expired}`.execute(db);
  expect(await failExpired(db, 10, true)).toMatchObject({ count: 1 });
  expect(await cancelMessage(db, tenant.tenantId, canceled, null, true)).toMatchObject({ kind: 'canceled' });
  await sql`update channel_accounts set deleted_at = now() where id = ${tenant.accountId}`.execute(db);
  expect(await failRemoved(db, tenant.accountId, 10, true)).toMatchObject({ count: 1 });
  const { rows } = await sql<{ message_id: string; events: string[]; traceparents: (string | null)[] }>`
    select message_id, array_agg(event order by sequence) as events,
      array_agg(traceparent order by sequence) filter (where sequence > 1) as traceparents
    from events group by message_id`.execute(db);
  const told = Object.fromEntries(rows.map((row) => [row.message_id, row]));
  for (const id of [plain, other])
    expect(told[id]).toMatchObject({
      events: ['message.queued', 'message.sent', 'message.delivered'],
      traceparents: [`of ${id}`, `of ${id}`],
    });
  for (const id of [expired, canceled, removed])
    expect(told[id]).toMatchObject({
      events: ['message.queued', 'message.failed'],
      traceparents: [`of ${id}`],
    });
});

test('with traces, receipts and resends know the traceparent of the sender', async () => {
  await using test = await testDatabase();
  const { db } = test;
  const tenant = await makeTenant(db);
  const [id] = await send(db, tenant);
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
  await sql`update messages set traceparent = ${traceparent}`.execute(db);
  const base = { accountId: tenant.accountId, messageId: id!, externalId: null, part: null };
  const taken = await takeReceipts(db, [{ ...base, status: 'sent' }], true);
  const ids = await storeReceipts(db, [{ ...base, status: 'delivered' }]);
  const applied = await applyReceipts(db, { kind: 'ids', ids }, true);
  for (const { messages } of [taken, applied]) expect(messages).toMatchObject([{ id, traceparent }]);
  expect(await findResend(db, tenant.tenantId, id!, true)).toMatchObject({ traceparent });
});
