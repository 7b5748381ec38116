import { randomUUID } from 'node:crypto';
import type { Decision, Outcome } from '@notify/core';
import {
  acceptMessages,
  type Claimed,
  claimMessages,
  type Db,
  failExpired,
  failRemoved,
  joinReceipts,
  nextDue,
  overdueAccounts,
  releaseMessages,
  type Settlement,
  settleMessages,
  storeReceipts,
} from '@notify/db';
import { makeTenant, testDatabase, type TestTenant, textItem } from '@notify/testkit';
import { sql } from 'kysely';

const rules = { idempotencyDays: 7, blockExpiredTrials: false };
const accepted: Outcome = { kind: 'accepted', externalId: 'ext-1' };
const unknown: Outcome = { kind: 'unknown', text: 'no answer' };

async function send(db: Db, tenant: TestTenant, count = 1, bulk = false): Promise<string[]> {
  const items = Array.from({ length: count }, () => textItem(tenant, { bulk }));
  const { results } = await acceptMessages(db, items, rules);
  return results.map((result) => (result.kind === 'accepted' ? result.message.id : result.kind));
}

function claim(db: Db, tenant: TestTenant, changes: object = {}): Promise<Claimed[]> {
  return claimMessages(db, {
    accountId: tenant.accountId,
    lane: 'fast',
    limit: 10,
    holder: randomUUID(),
    leaseMs: { sandbox: { text: 15_000, media: 60_000 } },
    singlesSinceBulk: 0,
    ...changes,
  });
}

function settlement(claimed: Claimed, outcome: Outcome, decision: Decision): Settlement {
  return {
    accountId: claimed.account.id,
    messageId: claimed.messageId,
    holder: claimed.holder,
    attempts: claimed.attempts,
    part: claimed.part,
    parts: 1,
    segments: 1,
    outcome,
    decision,
    attempted: true,
    tookMs: 5,
  };
}

async function settle(db: Db, claimed: Claimed, outcome: Outcome, decision: Decision) {
  return settleMessages(db, [settlement(claimed, outcome, decision)]);
}

const message = (db: Db, id: string) =>
  db.selectFrom('messages').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const due = (db: Db, id: string) =>
  db.selectFrom('dispatch_due').selectAll().where('message_id', '=', id).executeTakeFirst();
const eventNames = async (db: Db) =>
  (await db.selectFrom('events').select(['event', 'sequence']).orderBy('id').execute()).map(
    (row) => `${row.sequence} ${row.event}`,
  );

async function endLease(db: Db): Promise<void> {
  await sql`update dispatch_due set claimed_until = now() - interval '1 second' where claimed_by is not null`.execute(
    db,
  );
}

test('claims of one account never overlap, and a settled message is sent with its event', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const ids = await send(test.db, tenant, 30);
  const claims = (
    await Promise.all([claim(test.db, tenant), claim(test.db, tenant), claim(test.db, tenant)])
  ).flat();
  expect(new Set(claims.map((one) => one.messageId)).size).toBe(claims.length);
  expect(claims.length).toBe(30);
  await settleMessages(
    test.db,
    claims.map((one) => settlement(one, accepted, { kind: 'sent' })),
  );
  expect(await message(test.db, ids[0]!)).toMatchObject({
    status: 'sent',
    external_id: 'ext-1',
    attempts: 1,
  });
  expect(await due(test.db, ids[0]!)).toBeUndefined();
  expect(await test.db.selectFrom('attempts').selectAll().execute()).toHaveLength(30);
});

test('a bulk message gets every fifth place while singles wait, and all places once they do not', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await send(test.db, tenant, 20, true);
  await send(test.db, tenant, 20);
  const first = await claim(test.db, tenant);
  expect(first.filter((one) => one.bulk)).toHaveLength(2);
  const one = await claim(test.db, tenant, { limit: 1, singlesSinceBulk: 0 });
  expect(one[0]?.bulk).toBe(false);
  const fifth = await claim(test.db, tenant, { limit: 1, singlesSinceBulk: 4 });
  expect(fifth[0]?.bulk).toBe(true);
  await claim(test.db, tenant, { limit: 100 });
  expect(await claim(test.db, tenant)).toEqual([]);
});

test('a lease that ended with its attempt begun is taken over as an unknown outcome, and the first holder settles nothing', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const [id] = await send(test.db, tenant);
  const [first] = await claim(test.db, tenant);
  expect(await claim(test.db, tenant)).toEqual([]);
  await endLease(test.db);
  const [second] = await claim(test.db, tenant);
  expect(second).toMatchObject({ state: 'taken-over', attempts: 1 });
  const rejected: Outcome = { kind: 'rejected', errorCode: 'x', text: 'x' };
  const late = await settle(test.db, first!, rejected, { kind: 'failed', errorCode: 'x', text: 'x' });
  expect(late.lost).toEqual([id]);
  expect((await message(test.db, id!)).status).toBe('queued');
  await settle(test.db, second!, unknown, { kind: 'resend', afterMs: 0, possibleDuplicate: true });
  expect(await claim(test.db, tenant)).toMatchObject([{ state: 'call', attempts: 2, resends: 1 }]);
  expect((await message(test.db, id!)).possible_duplicate).toBe(true);
});

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
  await joinReceipts(test.db, { kind: 'due', limit: 10 });
  expect(await message(test.db, id!)).toMatchObject({
    status: 'sent',
    error_code: null,
    external_id: 'ext-1',
  });
});

test('being told to slow down pauses the account and burns no attempt; nothing is claimed until the pause ends', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const [id] = await send(test.db, tenant, 2);
  const [first, second] = await claim(test.db, tenant);
  const slow: Outcome = { kind: 'throttled', afterMs: 60_000, scope: 'account', text: 'slow down' };
  await settle(test.db, first!, slow, { kind: 'pause-account', afterMs: 60_000, text: 'slow down' });
  await settle(test.db, second!, accepted, { kind: 'sent' });
  expect(await due(test.db, id!)).toMatchObject({ attempts: 0, throttles: 1, claimed_by: null });
  expect(await claim(test.db, tenant)).toEqual([]);
  expect(await overdueAccounts(test.db, 0)).toEqual([]);
  const [next] = await nextDue(test.db, [tenant.accountId]);
  expect(next!.delayMs).toBeGreaterThan(55_000);
  const again = await acceptMessages(test.db, [textItem(tenant)], rules);
  expect(again.accounts).toEqual([]);
  await sql`update channel_accounts set paused_until = now()`.execute(test.db);
  expect(await claim(test.db, tenant)).toHaveLength(2);
});

test('a broken connection holds the messages of the account until somebody acts', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await send(test.db, tenant);
  const [claimed] = await claim(test.db, tenant);
  const broken: Outcome = { kind: 'connection-broken', text: 'wrong password' };
  await settle(test.db, claimed!, broken, { kind: 'break-account', text: 'wrong password' });
  const account = await test.db.selectFrom('channel_accounts').selectAll().executeTakeFirstOrThrow();
  expect(account).toMatchObject({ status: 'action-required', status_detail: 'wrong password' });
  expect(await claim(test.db, tenant)).toEqual([]);
  expect(await nextDue(test.db, [tenant.accountId])).toEqual([]);
});

test('a retry is due again after its wait', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await send(test.db, tenant);
  const [claimed] = await claim(test.db, tenant);
  const retry: Outcome = { kind: 'retry', errorCode: 'provider-error', text: '500' };
  await settle(test.db, claimed!, retry, { kind: 'retry', afterMs: 30_000 });
  const [next] = await nextDue(test.db, [tenant.accountId]);
  expect(next!.delayMs).toBeGreaterThan(25_000);
  expect(next!.delayMs).toBeLessThanOrEqual(30_000);
});

test('released messages are due at once with their attempt unburnt', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await send(test.db, tenant, 3);
  await releaseMessages(test.db, await claim(test.db, tenant));
  expect((await claim(test.db, tenant)).map((one) => [one.state, one.attempts])).toEqual(
    Array.from({ length: 3 }, () => ['call', 1]),
  );
});

test('receipts by either id move the message on, each event once, in order, whatever order they come in', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const [id] = await send(test.db, tenant);
  const [claimed] = await claim(test.db, tenant);
  const base = { accountId: tenant.accountId, messageId: null, externalId: 'ext-1', part: null };
  const early = await storeReceipts(test.db, [{ ...base, status: 'delivered' }]);
  expect((await joinReceipts(test.db, { kind: 'ids', ids: early })).joined).toBe(0);
  await settle(test.db, claimed!, accepted, { kind: 'sent' });
  const messages = [{ accountId: tenant.accountId, externalId: 'ext-1' }];
  expect((await joinReceipts(test.db, { kind: 'external', messages })).joined).toBe(1);
  const late = await storeReceipts(test.db, [
    { ...base, externalId: null, messageId: id!, status: 'read' },
    { ...base, status: 'delivered' },
    { ...base, status: 'failed' },
    { ...base, status: 'sent' },
  ]);
  expect((await joinReceipts(test.db, { kind: 'ids', ids: late })).joined).toBe(4);
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
  expect((await joinReceipts(test.db, { kind: 'ids', ids })).joined).toBe(0);
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
  await joinReceipts(test.db, { kind: 'ids', ids });
  expect(await due(test.db, id!)).toBeUndefined();
  expect((await message(test.db, id!)).status).toBe('delivered');
});

test('when no receipt came the message is claimed as unreported, without a new attempt', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  await send(test.db, tenant);
  const [claimed] = await claim(test.db, tenant);
  await settle(test.db, claimed!, unknown, { kind: 'await-receipt', afterMs: 0 });
  expect(await claim(test.db, tenant)).toMatchObject([{ state: 'unreported', attempts: 1 }]);
});

test('a receipt that ended the message while its attempt ran leaves nothing to retry', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const [id] = await send(test.db, tenant);
  const [claimed] = await claim(test.db, tenant);
  const receipt = { accountId: tenant.accountId, messageId: id!, externalId: null, part: null };
  const ids = await storeReceipts(test.db, [{ ...receipt, status: 'delivered' as const }]);
  await joinReceipts(test.db, { kind: 'ids', ids });
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
    await joinReceipts(test.db, { kind: 'ids', ids });
    expect((await message(test.db, id!)).status).toBe(status);
  }
});

test('an expired message fails, held or not; one that a provider may have fails as unknown', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const [waiting, begun] = await send(test.db, tenant, 2);
  await sql`update dispatch_due set due_at = now() + interval '1 hour' where message_id = ${waiting}`.execute(
    test.db,
  );
  await claim(test.db, tenant);
  await sql`update dispatch_due set expires_at = now()`.execute(test.db);
  await sql`update channel_accounts set paused_until = 'infinity'`.execute(test.db);
  expect((await failExpired(test.db, 100)).count).toBe(1);
  await endLease(test.db);
  expect((await failExpired(test.db, 100)).count).toBe(1);
  expect(await message(test.db, waiting!)).toMatchObject({ status: 'failed', error_code: 'expired' });
  expect(await message(test.db, begun!)).toMatchObject({ status: 'failed', error_code: 'outcome-unknown' });
});

test('what waits for a removed account fails', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
  const [id] = await send(test.db, tenant);
  expect((await failRemoved(test.db, tenant.accountId, 100)).count).toBe(0);
  await test.db.updateTable('channel_accounts').set({ deleted_at: new Date() }).execute();
  expect(await claim(test.db, tenant)).toEqual([]);
  expect((await failRemoved(test.db, tenant.accountId, 100)).count).toBe(1);
  expect(await message(test.db, id!)).toMatchObject({
    status: 'failed',
    error_code: 'channel-account-removed',
  });
});

test('the sweeper finds accounts with overdue work that nobody holds, and only those', async () => {
  await using test = await testDatabase();
  const [busy, idle, paused] = [
    await makeTenant(test.db),
    await makeTenant(test.db),
    await makeTenant(test.db),
  ];
  await send(test.db, busy, 3);
  await send(test.db, paused, 3);
  expect(await overdueAccounts(test.db, 60_000)).toEqual([]);
  await sql`update channel_accounts set paused_until = 'infinity' where id = ${paused.accountId}`.execute(
    test.db,
  );
  expect(await overdueAccounts(test.db, 0)).toEqual([{ id: busy.accountId, lane: 'fast' }]);
  await claim(test.db, busy);
  expect(await overdueAccounts(test.db, 0)).toEqual([]);
  expect(await nextDue(test.db, [idle.accountId])).toEqual([]);
});

test('batches that settle and report the same messages in opposite order never deadlock', async () => {
  await using test = await testDatabase();
  const tenant = await makeTenant(test.db);
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
    await Promise.all([
      settleMessages(test.db, settlements),
      joinReceipts(test.db, { kind: 'ids', ids }),
      failExpired(test.db, 100),
      claim(test.db, tenant),
    ]);
  }
  const states = await sql<{ status: string; count: number }>`
    select status, count(*)::int as count from messages group by 1`.execute(test.db);
  expect(states.rows).toEqual([{ status: 'delivered', count: 1000 }]);
  expect(await test.db.selectFrom('dispatch_due').selectAll().execute()).toEqual([]);
}, 60_000);
