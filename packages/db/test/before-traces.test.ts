import { settleMessages } from '@notify/db/dispatch';
import { failExpired, findResend } from '@notify/db/messages';
import { applyReceipts, storeReceipts, takeReceipts } from '@notify/db/receipts';
import { makeTenant, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import { accepted, claim, message, send, settlement } from './dispatching.ts';

test('without traces, messages are sent and ended on a schema that has no traceparent yet', async () => {
  await using test = await testDatabase();
  const { db } = test;
  await sql`alter table messages drop column traceparent`.execute(db);
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
