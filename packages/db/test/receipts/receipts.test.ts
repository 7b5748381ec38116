import type { Outcome } from '@notify/core';
import { settleMessages } from '@notify/db/dispatch';
import { failExpired, type ReachedStatus } from '@notify/db/messages';
import { applyReceipts, storeReceipts } from '@notify/db/receipts';
import { makeTenant, testDatabase } from '@notify/testkit';
import { sql } from 'kysely';
import {
  accepted,
  claim,
  due,
  endLease,
  eventNames,
  message,
  send,
  settle,
  settlement,
  unknown,
} from '../dispatching.ts';

test('an acceptance that comes after its lease was lost is kept and corrects the message', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const [id] = await send(test.db, tenant);
  const [first] = await claim(test.db, tenant);
  await endLease(test.db);
  const [second] = await claim(test.db, tenant);
  await settle(test.db, second!, unknown, {
    kind: 'failed',
    errorCode: 'outcome-unknown',
    text: 'nobody knows',
  });
  expect((await message(test.db, id!)).error_code).toBe('outcome-unknown');
  await settle(test.db, first!, accepted, { kind: 'sent' });
  await applyReceipts(test.db, { kind: 'due', limit: 10 });
  expect(await message(test.db, id!)).toMatchObject({
    status: 'sent',
    error_code: null,
    external_id: 'ext-1',
  });
});

test('receipts by either id move the message on, each event once, in order, whatever order they come in', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const [id] = await send(test.db, tenant);
  const [claimed] = await claim(test.db, tenant);
  const base = { accountId: tenant.accountId, messageId: null, externalId: 'ext-1', part: null };
  const early = await storeReceipts(test.db, [{ ...base, status: 'delivered' }]);
  expect((await applyReceipts(test.db, { kind: 'ids', ids: early })).applied).toBe(0);
  await settle(test.db, claimed!, accepted, { kind: 'sent' });
  const messages = [{ accountId: tenant.accountId, externalId: 'ext-1' }];
  expect((await applyReceipts(test.db, { kind: 'external', messages })).applied).toBe(1);
  const late = await storeReceipts(test.db, [
    { ...base, externalId: null, messageId: id!, status: 'read' },
    { ...base, status: 'delivered' },
    { ...base, status: 'failed' },
    { ...base, status: 'sent' },
  ]);
  expect((await applyReceipts(test.db, { kind: 'ids', ids: late })).applied).toBe(4);
  const moved = await message(test.db, id!);
  expect(moved).toMatchObject({ status: 'delivered', error_code: null });
  expect(moved.read_at).not.toBeNull();
  expect(await eventNames(test.db)).toEqual([
    '1 message.queued',
    '2 message.sent',
    '3 message.delivered',
    '4 message.read',
  ]);
  expect(await test.db.selectFrom('receipts').selectAll().execute()).toEqual([]);
});

test("a receipt touches no other account's message", async () => {
  await using test = await testDatabase();
  const [tenant, stranger] = [await makeTenant(test.db), await makeTenant(test.db)];
  const [id] = await send(test.db, tenant);
  const receipt = { accountId: stranger.accountId, messageId: id!, externalId: null, part: null };
  const ids = await storeReceipts(test.db, [{ ...receipt, status: 'failed' as const }]);
  expect((await applyReceipts(test.db, { kind: 'ids', ids })).applied).toBe(0);
  expect((await message(test.db, id!)).status).toBe('queued');
});

test('a receipt that ends the wait for it takes the message off what is due', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const [id] = await send(test.db, tenant);
  const [claimed] = await claim(test.db, tenant);
  await settle(test.db, claimed!, unknown, { kind: 'await-receipt', afterMs: 120_000 });
  expect(await due(test.db, id!)).toMatchObject({ awaiting_receipt: true });
  const receipt = { accountId: tenant.accountId, messageId: id!, externalId: null, part: null };
  const ids = await storeReceipts(test.db, [{ ...receipt, status: 'delivered' as const }]);
  await applyReceipts(test.db, { kind: 'ids', ids });
  expect(await due(test.db, id!)).toBeUndefined();
  expect((await message(test.db, id!)).status).toBe('delivered');
});

test('when no receipt came the message is claimed as without a receipt, and without a new attempt', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await send(test.db, tenant);
  const [claimed] = await claim(test.db, tenant);
  await settle(test.db, claimed!, unknown, { kind: 'await-receipt', afterMs: 0 });
  expect(await claim(test.db, tenant)).toMatchObject([{ state: 'without-receipt', attempts: 1 }]);
});

test('a receipt that ended the message while its attempt ran leaves nothing to retry', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const [id] = await send(test.db, tenant);
  const [claimed] = await claim(test.db, tenant);
  const receipt = { accountId: tenant.accountId, messageId: id!, externalId: null, part: null };
  const ids = await storeReceipts(test.db, [{ ...receipt, status: 'delivered' as const }]);
  await applyReceipts(test.db, { kind: 'ids', ids });
  await settle(test.db, claimed!, unknown, { kind: 'resend', afterMs: 0, possibleDuplicate: true });
  expect(await due(test.db, id!)).toBeUndefined();
  expect(await eventNames(test.db)).toEqual(['1 message.queued', '2 message.sent', '3 message.delivered']);
});

test('the parts of a split message go one by one, and it is delivered when all of them are', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const [id] = await send(test.db, tenant);
  const [first] = await claim(test.db, tenant);
  const parts = { parts: 2, segments: 3 };
  await settleMessages(test.db, [{ ...settlement(first!, accepted, { kind: 'next-part' }), ...parts }]);
  const [second] = await claim(test.db, tenant);
  expect(second).toMatchObject({ part: 1, state: 'call' });
  const other: Outcome = { kind: 'accepted', externalId: 'ext-2' };
  await settleMessages(test.db, [{ ...settlement(second!, other, { kind: 'sent' }), ...parts }]);
  expect(await message(test.db, id!)).toMatchObject({
    status: 'sent',
    external_id: 'ext-1',
    segments: 3,
    parts: 2,
  });
  for (const [part, status] of [
    [1, 'sent'],
    [1, 'sent'],
    [0, 'delivered'],
  ] as const) {
    const receipt = { accountId: tenant.accountId, messageId: id!, externalId: null, part };
    const ids = await storeReceipts(test.db, [{ ...receipt, status: 'delivered' as const }]);
    await applyReceipts(test.db, { kind: 'ids', ids });
    expect((await message(test.db, id!)).status).toBe(status);
  }
});

test('batches that settle and report the same messages in opposite order never deadlock', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const reached: ReachedStatus[] = [];
  for (let round = 0; round < 50; round += 1) {
    await send(test.db, tenant, 20);
    const claims = await claim(test.db, tenant, { limit: 20 });
    const settlements = claims.map((one) => settlement(one, accepted, { kind: 'sent' }));
    const receipts = claims.toReversed().map((one) => ({
      accountId: tenant.accountId,
      messageId: one.messageId,
      externalId: null,
      part: null,
      status: 'delivered' as const,
    }));
    const ids = await storeReceipts(test.db, receipts);
    const [settled, applied, expired] = await Promise.all([
      settleMessages(test.db, settlements),
      applyReceipts(test.db, { kind: 'ids', ids }),
      failExpired(test.db, 100),
      claim(test.db, tenant),
    ]);
    reached.push(...settled.reached, ...applied.reached, ...expired.reached);
  }
  const states = await sql<{ status: string; count: number }>`
    select status, count(*)::int as count from messages group by 1`.execute(test.db);
  expect(states.rows).toEqual([{ status: 'delivered', count: 1000 }]);
  // Whoever commits a status first, it is returned once.
  expect(reached.map((one) => `${one.provider} ${one.channel} ${one.status}`).sort()).toEqual([
    ...Array<string>(1000).fill('sandbox sms delivered'),
    ...Array<string>(1000).fill('sandbox sms sent'),
  ]);
  expect(await test.db.selectFrom('dispatch_due').selectAll().execute()).toEqual([]);
});

test('one callback may report about more messages than a statement has parameters', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const receipt = { accountId: tenant.accountId, messageId: null, part: null, status: 'delivered' as const };
  const many = Array.from({ length: 9_000 }, (_, index) => ({ ...receipt, externalId: `wamid-${index}` }));
  expect(await storeReceipts(test.db, many)).toHaveLength(9_000);
});

test('reports on an early part, however soon, neither end the message nor drop the parts that wait', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const [id] = await send(test.db, tenant);
  const of = { accountId: tenant.accountId, messageId: id!, externalId: null };
  const report = async (part: number, status: 'sent' | 'delivered') =>
    applyReceipts(test.db, { kind: 'ids', ids: await storeReceipts(test.db, [{ ...of, part, status }]) });
  const sendPart = async (decision: 'next-part' | 'sent') => {
    const [claimed] = await claim(test.db, tenant);
    await report(claimed!.part, 'sent');
    await report(claimed!.part, 'delivered');
    const end = settlement(claimed!, accepted, { kind: decision });
    await settleMessages(test.db, [{ ...end, parts: 3, segments: 6 }]);
    return claimed!.part;
  };
  expect([await sendPart('next-part'), await sendPart('next-part')]).toEqual([0, 1]);
  expect(await message(test.db, id!)).toMatchObject({ status: 'queued', delivered_parts: [0, 1] });
  expect(await sendPart('sent')).toBe(2);
  expect((await message(test.db, id!)).status).toBe('delivered');
  expect(await due(test.db, id!)).toBeUndefined();
});

test('a report on a part whose outcome was unknown lets the message go on after it', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const [id] = await send(test.db, tenant);
  const of = { accountId: tenant.accountId, messageId: id!, externalId: null, status: 'sent' as const };
  for (const part of [0, 1]) {
    const [claimed] = await claim(test.db, tenant);
    expect(claimed).toMatchObject({ part, state: 'call' });
    const end = settlement(claimed!, unknown, { kind: 'await-receipt', afterMs: 60_000 });
    await settleMessages(test.db, [{ ...end, parts: 2, segments: 4 }]);
    expect(await claim(test.db, tenant)).toEqual([]);
    await applyReceipts(test.db, { kind: 'ids', ids: await storeReceipts(test.db, [{ ...of, part }]) });
  }
  expect((await message(test.db, id!)).status).toBe('sent');
  expect(await due(test.db, id!)).toBeUndefined();
});
